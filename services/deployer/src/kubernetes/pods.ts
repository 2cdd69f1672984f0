import { NotFound } from '@slipway/shared/errors'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL } from '../domain/labels.ts'
import { isObjectName } from '../domain/object-name.ts'
import type { KubernetesClient } from './client.ts'
import { clusterUnreachable, isBusy, isKubernetesStatus } from './kubernetes-error.ts'
import { readObject } from './read.ts'

/** What is read of a pod. */
export interface Pod extends KubernetesObject {
  readonly spec: {
    readonly containers: readonly { readonly name: string }[]
    readonly initContainers?: readonly { readonly name: string }[]
  }
}

/**
 * A pod of a deployment. NotFound for one that doesn't exist and for one that this system didn't
 * make.
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

/** The error for a pod that isn't there, or not any more. */
export function podNotFound(name: string, cause?: unknown): NotFound {
  return new NotFound('pod_not_found', `the deployment has no pod ${JSON.stringify(name)}`, {
    cause,
  })
}

/** Reads an object of a namespace; where the rights went with the namespace, it is gone as well. */
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
