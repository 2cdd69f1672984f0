import { waitFor } from '@slipway/testing'

import type { KubernetesClient } from '../../src/kubernetes/client.ts'
import { isKubernetesStatus } from '../../src/kubernetes/kubernetes-error.ts'

/** A valid object of each kind that can be tried out. */
const PROBES: Readonly<Record<string, object>> = {
  secrets: {},
  services: { spec: { ports: [{ port: 1 }] } },
}

/** Allows no new objects of a kind in a namespace. Returns a function that ends this. */
export async function allowNo(
  cluster: KubernetesClient,
  resource: 'pods' | 'secrets' | 'services',
  namespace: string,
): Promise<() => Promise<void>> {
  const core = `/api/v1/namespaces/${namespace}`
  const path = `${core}/resourcequotas`
  const counted = `count/${resource}`
  const isCounted = async () => {
    const { body } = await cluster.send<{ status?: { used?: object } }>({
      method: 'GET',
      path: `${path}/none`,
    })
    return Object.hasOwn(body.status?.used ?? {}, counted)
  }
  /** Whether the API server rejects an object. It may learn of a quota's changes later. */
  const isExceeded = async () => {
    const body = { ...PROBES[resource], metadata: { name: 'probe' } }
    try {
      await cluster.send({ method: 'POST', path: `${core}/${resource}?dryRun=All`, body })
      return false
    } catch (error) {
      if (isKubernetesStatus(error, 403))
        return error.status.message?.includes('exceeded quota') === true
      throw error
    }
  }
  const body = { metadata: { name: 'none' }, spec: { hard: { [counted]: '0' } } }
  await cluster.send({ method: 'POST', path, body })
  await waitFor(isCounted, { what: 'the quota to be counted' })
  const canTry = resource in PROBES
  if (canTry) await waitFor(isExceeded, { what: 'the quota to be in force' })
  return async () => {
    await cluster.send({ method: 'DELETE', path: `${path}/none` })
    if (canTry) await waitFor(async () => !(await isExceeded()), { what: 'the quota to be gone' })
  }
}
