import { isDeepStrictEqual } from 'node:util'

import { Conflict } from '@slipway/shared/errors'
import { sleepOrAbort } from '@slipway/shared/waiting'

import type { ClusterConfig } from '../config/cluster.ts'
import { keyOf, type KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../domain/labels.ts'
import { applyObject } from './apply.ts'
import type { KubernetesClient } from './client.ts'
import { waitUntilGone } from './delete.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { collectionPath } from './paths.ts'
import { readObject } from './read.ts'

const RIGHTS_TIMEOUT_MS = 10_000

/** What is known of the namespace that a deployment is to have. */
export type NamespaceState = 'absent' | 'ours' | 'terminating' | 'foreign'

/** Looks at a namespace before anything is written. */
export async function inspectNamespace(
  client: KubernetesClient,
  name: string,
  deploymentId: string | undefined,
  signal?: AbortSignal,
): Promise<NamespaceState> {
  const found = await readObject(
    client,
    { apiVersion: 'v1', kind: 'Namespace', namespace: '', name },
    signal,
  )
  if (found === undefined) return 'absent'
  const labels = found.metadata.labels ?? {}
  if (labels[MANAGED_BY_LABEL] !== MANAGED_BY) return 'foreign'
  if (found.metadata.deletionTimestamp !== undefined) return 'terminating'
  return deploymentId !== undefined && labels[DEPLOYMENT_LABEL] === deploymentId
    ? 'ours'
    : 'foreign'
}

/**
 * Waits until a namespace that is being deleted is gone; Conflict `namespace_terminating` when it
 * isn't in time.
 */
export async function waitForTermination(
  client: KubernetesClient,
  name: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await waitUntilGone(
      client,
      { apiVersion: 'v1', kind: 'Namespace', namespace: '', name },
      timeoutMs,
      signal,
    )
  } catch (cause) {
    if (!(cause instanceof Conflict)) throw cause
    throw new Conflict(
      'namespace_terminating',
      'the former deployment is still being removed; please try again',
      {
        cause,
        retryAfterMs: 5_000,
      },
    )
  }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/role-binding-v1/ */
type RoleBinding = KubernetesObject & {
  readonly roleRef: object
  readonly subjects: readonly object[]
}

/**
 * The binding that gives the deployer its rights in a namespace of a deployment, and nowhere else.
 */
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
 * Whether the deployer's rights in a namespace are as they should be: the binding is there, and
 * gives them to it.
 */
export async function hasRights(
  client: KubernetesClient,
  binding: RoleBinding,
  signal?: AbortSignal,
): Promise<boolean> {
  return isGiven(await readObject<RoleBinding>(client, keyOf(binding), signal), binding)
}

/** Makes the deployer's rights in a namespace, and waits until they are in effect. */
export async function giveRights(
  client: KubernetesClient,
  binding: RoleBinding,
  signal?: AbortSignal,
): Promise<void> {
  await applyObject(client, binding, { ...(signal && { signal }) })
  await awaitRights(client, binding.metadata.namespace ?? '', signal)
}

/**
 * Waits until the API server knows of the rights that a binding gives, which it learns a moment
 * after the binding.
 */
export async function awaitRights(
  client: KubernetesClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = `${collectionPath('v1', 'ConfigMap', namespace)}?limit=1`
  const deadline = performance.now() + RIGHTS_TIMEOUT_MS
  // Reads pass no admission, so what is refused here is refused for want of rights.
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

function isGiven(
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
