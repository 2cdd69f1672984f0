import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { FIELD_MANAGER } from './apply.ts'
import type { KubernetesClient } from './client.ts'
import { isQuotaConflict } from './kubernetes-error.ts'
import { collectionPath } from './paths.ts'
import { retryBriefly } from './retry.ts'

/**
 * Creates an object, and returns it as the cluster has stored it. Throws KubernetesError when it
 * already exists or is rejected.
 */
export async function createObject(
  client: KubernetesClient,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const { apiVersion, kind, metadata } = object
  const path = collectionPath(apiVersion, kind, metadata.namespace ?? '')
  const { body } = await retryBriefly(
    () =>
      client.send<KubernetesObject>({
        method: 'POST',
        path: `${path}?fieldManager=${FIELD_MANAGER}`,
        body: object,
        signal,
      }),
    isQuotaConflict,
    signal,
  )
  return body
}
