import type { KubernetesClient } from '../src/kubernetes/client.ts'
import { FIELD_MANAGER } from '../src/kubernetes/apply.ts'
import { listIn } from './agents.ts'

/** Kinds that nobody but their owner writes to; a change of any kind changes their version. */
const PLAIN_KINDS = ['ConfigMap', 'NetworkPolicy', 'PersistentVolumeClaim', 'Secret', 'ServiceAccount', 'Service']
/** Kinds whose status their controllers write: what we own of them, and their spec, say whether we changed them. */
const CONTROLLED_KINDS = ['CronJob', 'Deployment', 'Ingress', 'Job', 'StatefulSet']

/** Everything of a deployment in the cluster, in a form that is the same as long as nobody changes anything. */
export async function snapshot(cluster: KubernetesClient, namespace: string): Promise<Record<string, unknown>> {
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
