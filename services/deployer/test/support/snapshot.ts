import { waitFor } from '@slipway/testing'

import { FIELD_MANAGER } from '../../src/kubernetes/apply.ts'
import type { KubernetesClient } from '../../src/kubernetes/client.ts'
import { listIn } from './agents.ts'

/** Kinds that nobody but their owner writes to; a change of any kind changes their version. */
const PLAIN_KINDS = [
  'ConfigMap',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'Secret',
  'ServiceAccount',
  'Service',
]
/**
 * Kinds whose status their controllers write: what we own of them, and their spec, say whether we
 * changed them.
 */
const CONTROLLED_KINDS = ['CronJob', 'Deployment', 'Ingress', 'Job', 'StatefulSet']

/**
 * Waits until the cluster's controllers have made what they make by themselves, some time after a
 * deploy.
 */
export async function untilSettled(cluster: KubernetesClient, namespace: string): Promise<void> {
  const has = async (kind: string, name: string) =>
    (await listIn(cluster, kind, namespace)).some(({ metadata }) => metadata.name === name)
  await waitFor(
    async () => {
      const sets = await listIn(cluster, 'StatefulSet', namespace)
      // A set's claims are there before its pods.
      const haveClaims = sets.every(
        ({ spec, status }) => status?.['replicas'] === spec?.['replicas'],
      )
      return (
        haveClaims &&
        (await has('ConfigMap', 'kube-root-ca.crt')) &&
        (await has('ServiceAccount', 'default'))
      )
    },
    { what: `the controllers to be done with ${namespace}` },
  )
}

/**
 * Everything of a deployment in the cluster, in a form that is the same as long as nobody changes
 * anything.
 */
export async function snapshot(
  cluster: KubernetesClient,
  namespace: string,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const kind of PLAIN_KINDS) {
    for (const { metadata } of await listIn(cluster, kind, namespace)) {
      // The claim's controller may still be at work on it.
      const version = kind === 'PersistentVolumeClaim' ? '' : metadata.resourceVersion
      entries.push([`${kind}/${metadata.name}`, [metadata.uid, version]])
    }
  }
  for (const kind of CONTROLLED_KINDS) {
    for (const { metadata, spec } of await listIn(cluster, kind, namespace)) {
      const owned = metadata.managedFields?.filter(({ manager }) => manager === FIELD_MANAGER)
      entries.push([`${kind}/${metadata.name}`, [metadata.uid, metadata.generation, owned, spec]])
    }
  }
  for (const { metadata } of await listIn(cluster, 'Pod', namespace)) {
    entries.push([`Pod/${metadata.name}`, metadata.uid])
  }
  return Object.fromEntries(entries)
}
