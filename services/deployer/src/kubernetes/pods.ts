import type { V1Pod } from '@kubernetes/client-node'
import { NotFound } from '@slipway/shared/errors'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL } from '../domain/labels.ts'
import { isObjectName } from '../domain/object-name.ts'
import type { KubernetesClient } from './client.ts'
import { clusterUnreachable, isBusy, isKubernetesStatus } from './kubernetes-error.ts'
import { listObjects, readObject } from './read.ts'

/** A pod with the names of its containers. */
export interface Pod extends KubernetesObject {
  readonly spec: {
    readonly containers: readonly { readonly name: string }[]
    readonly initContainers?: readonly { readonly name: string }[]
  }
}

/** Lists the pods of a deployment, the newest first. */
export async function listPods(
  client: KubernetesClient,
  { namespace, deploymentId }: { readonly namespace: string; readonly deploymentId: string },
  signal: AbortSignal,
): Promise<V1Pod[]> {
  const labels = { [DEPLOYMENT_LABEL]: deploymentId }
  const query = { apiVersion: 'v1', kind: 'Pod', namespace, labels, signal }
  const { items } = await listObjects<KubernetesObject>(client, query)
  const createdAt = ({ metadata }: V1Pod) => new Date(metadata?.creationTimestamp ?? 0).getTime()
  return (items as unknown as V1Pod[]).sort((a, b) => createdAt(b) - createdAt(a))
}

/**
 * Reads a pod of a deployment. Throws NotFound `pod_not_found` for a pod that doesn't exist or
 * doesn't belong to the deployment.
 */
export async function requirePod(
  client: KubernetesClient,
  owner: { readonly deploymentId: string; readonly namespace: string },
  name: string,
  signal?: AbortSignal,
): Promise<Pod> {
  const key = { apiVersion: 'v1', kind: 'Pod', namespace: owner.namespace, name }
  const pod = isObjectName(name) ? await readOwned<Pod>(client, key, signal) : undefined
  if (pod?.metadata.labels?.[DEPLOYMENT_LABEL] === owner.deploymentId) return pod
  throw podNotFound(name)
}

/** Returns the error for a pod that doesn't exist. */
export function podNotFound(name: string, cause?: unknown): NotFound {
  return new NotFound('pod_not_found', `the deployment has no pod ${JSON.stringify(name)}`, {
    cause,
  })
}

/**
 * Reads an object in a deployment's namespace. Missing permissions mean that the namespace no
 * longer exists.
 */
export async function readOwned<Type extends KubernetesObject>(
  client: KubernetesClient,
  key: { apiVersion: string; kind: string; namespace: string; name: string },
  signal?: AbortSignal,
): Promise<Type | undefined> {
  try {
    return await readObject<Type>(client, key, signal)
  } catch (error) {
    if (isKubernetesStatus(error, 403)) return undefined
    if (isBusy(error)) throw clusterUnreachable(error)
    throw error
  }
}
