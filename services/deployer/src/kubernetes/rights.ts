import { isDeepStrictEqual } from 'node:util'

import { sleepOrAbort } from '@slipway/shared/waiting'

import type { ClusterConfig } from '../config/cluster.ts'
import { keyOf, type KubernetesObject } from '../domain/kubernetes-object.ts'
import { applyObject } from './apply.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { collectionPath } from './paths.ts'
import { readObject } from './read.ts'

const RIGHTS_TIMEOUT_MS = 10_000

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/role-binding-v1/ */
type RoleBinding = KubernetesObject & {
  readonly roleRef: object
  readonly subjects: readonly object[]
}

/** Renders the binding that gives the deployer its permissions in a deployment's namespace. */
export function renderRoleBinding(
  namespace: string,
  labels: Readonly<Record<string, string>>,
  { serviceAccount, workloadRole }: ClusterConfig,
): RoleBinding {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: workloadRole, namespace, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: workloadRole },
    subjects: [
      { kind: 'ServiceAccount', name: serviceAccount.name, namespace: serviceAccount.namespace },
    ],
  }
}

/**
 * Whether the deployer has its permissions in a namespace: the binding exists and has the correct
 * content.
 */
export async function hasRights(
  client: KubernetesClient,
  binding: RoleBinding,
  signal?: AbortSignal,
): Promise<boolean> {
  return isSameBinding(await readObject<RoleBinding>(client, keyOf(binding), signal), binding)
}

/** Creates the deployer's binding in a namespace and waits until it is in effect. */
export async function grantRights(
  client: KubernetesClient,
  binding: RoleBinding,
  signal?: AbortSignal,
): Promise<void> {
  await applyObject(client, binding, { ...(signal && { signal }) })
  await awaitRights(client, binding.metadata.namespace ?? '', signal)
}

/**
 * Like grantRights, in a namespace that has just got its labels: admission policies may still see
 * it without them. Throws the last KubernetesError on a timeout.
 */
export async function grantRightsWhenLabeled(
  client: KubernetesClient,
  binding: RoleBinding,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + RIGHTS_TIMEOUT_MS
  for (;;) {
    try {
      await grantRights(client, binding, signal)
      return
    } catch (error) {
      if (!isKubernetesStatus(error, 403) || performance.now() > deadline) throw error
    }
    await sleepOrAbort(200, signal)
  }
}

/**
 * Waits until a binding takes effect, shortly after its creation. Throws the last KubernetesError
 * on a timeout.
 */
export async function awaitRights(
  client: KubernetesClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = `${collectionPath('v1', 'ConfigMap', namespace)}?limit=1`
  const deadline = performance.now() + RIGHTS_TIMEOUT_MS
  // Reads don't go through admission, so a rejection means missing permissions.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    try {
      await client.send({ method: 'GET', path, ...(signal && { signal }) })
      return
    } catch (error) {
      if (!isKubernetesStatus(error, 403) || performance.now() > deadline) throw error
    }
    await sleepOrAbort(pauseMs, signal)
  }
}

function isSameBinding(
  found: RoleBinding | undefined,
  { metadata, roleRef, subjects }: RoleBinding,
): boolean {
  return (
    found !== undefined &&
    found.metadata.deletionTimestamp === undefined &&
    isDeepStrictEqual(found.roleRef, roleRef) &&
    isDeepStrictEqual(found.subjects, subjects) &&
    Object.entries(metadata.labels ?? {}).every(
      ([key, value]) => found.metadata.labels?.[key] === value,
    )
  )
}
