import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { listObjects, readObject } from './read.ts'

interface Autoscaler extends KubernetesObject {
  readonly spec: { readonly scaleTargetRef: { readonly kind: string; readonly name: string } }
}

const SCALED_KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet'])

/**
 * Finds the workloads of a namespace, as `Kind/name`, whose number of replicas an autoscaler has
 * set: an apply must not change it. Numbers that were set manually don't count.
 */
export async function findAutoscaled(
  client: KubernetesClient,
  namespace: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const apiVersion = 'autoscaling/v2'
  const query = { apiVersion, kind: 'HorizontalPodAutoscaler', namespace, signal }
  const { items } = await listObjects<Autoscaler>(client, query).catch((error: unknown) => {
    // The workload role of an older version doesn't allow this query.
    if (isKubernetesStatus(error, 403) || isKubernetesStatus(error, 404)) return { items: [] }
    throw error
  })
  const found = new Set<string>()
  for (const { spec } of items) {
    const { kind, name } = spec.scaleTargetRef
    if (!SCALED_KINDS.has(kind)) continue
    const workload = await readObject(
      client,
      { apiVersion: 'apps/v1', kind, namespace, name },
      signal,
    )
    const isOwned = workload?.metadata.managedFields?.some(
      ({ subresource, fieldsV1 }) =>
        subresource === 'scale' && fieldsV1?.['f:spec']?.['f:replicas'] !== undefined,
    )
    if (isOwned) found.add(`${kind}/${name}`)
  }
  return found
}
