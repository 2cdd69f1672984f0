import { waitFor } from '@slipway/testing'

import type { KubernetesClient } from '../../src/kubernetes/client.ts'

/** Allows no new objects of a kind in a namespace. Returns a function that ends this. */
export async function allowNo(
  cluster: KubernetesClient,
  resource: string,
  namespace: string,
): Promise<() => Promise<void>> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`
  const counted = `count/${resource}`
  const body = { metadata: { name: 'none' }, spec: { hard: { [counted]: '0' } } }
  await cluster.send({ method: 'POST', path, body })
  await waitFor(
    async () => {
      const { body: quota } = await cluster.send<{ status?: { used?: object } }>({
        method: 'GET',
        path: `${path}/none`,
      })
      return Object.hasOwn(quota.status?.used ?? {}, counted)
    },
    { what: 'the quota to be counted' },
  )
  return async () => {
    await cluster.send({ method: 'DELETE', path: `${path}/none` })
  }
}
