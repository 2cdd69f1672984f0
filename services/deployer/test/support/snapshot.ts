import { waitFor } from '@slipway/testing'

import { FIELD_MANAGER } from '../../src/kubernetes/apply.ts'
import type { KubernetesClient } from '../../src/kubernetes/client.ts'
import { listIn } from './agents.ts'

/** Kinds that only the deployer writes, so that any change of the version is the deployer's. */
const PLAIN_KINDS = [
  'ConfigMap',
  'LimitRange',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'Secret',
  'ServiceAccount',
  'Service',
]
/** Kinds whose status controllers write: only owned fields and spec show the deployer's changes. */
const CONTROLLED_KINDS = ['CronJob', 'Deployment', 'Ingress', 'Job', 'ResourceQuota', 'StatefulSet']

/** Waits until the cluster's controllers have created all their objects after a deploy. */
export async function untilSettled(cluster: KubernetesClient, namespace: string): Promise<void> {
  const has = async (kind: string, name: string) =>
    (await listIn(cluster, kind, namespace)).some(({ metadata }) => metadata.name === name)
  await waitFor(
    async () => {
      const sets = await listIn(cluster, 'StatefulSet', namespace)
      // Claims of a stateful set are created before its pods.
      const haveClaims = sets.every(
        ({ spec, status }) => status?.['replicas'] === spec?.['replicas'],
      )
      return (
        haveClaims &&
        (await has('ConfigMap', 'kube-root-ca.crt')) &&
        (await has('ServiceAccount', 'default'))
      )
    },
    { what: `the controllers to finish with ${namespace}` },
  )
}

/** Returns the state of a deployment's objects, which is equal as long as nothing changes them. */
export async function snapshot(
  cluster: KubernetesClient,
  namespace: string,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const kind of PLAIN_KINDS) {
    for (const { metadata } of await listIn(cluster, kind, namespace)) {
      // The claim's controller may still change it.
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
