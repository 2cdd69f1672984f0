import { Conflict } from '@slipway/shared/errors'

import { DEPLOYMENT_LABEL, MANAGED_BY, MANAGED_BY_LABEL, RELEASE_LABEL } from '../domain/labels.ts'
import type { KubernetesClient } from './client.ts'
import { waitUntilGone } from './delete.ts'
import { readObject } from './read.ts'

/** The state of a deployment's namespace. `foreign`: it belongs to something else. */
export type NamespaceState = 'absent' | 'ours' | 'terminating' | 'foreign'

/** Returns the state of a namespace, before anything is written to it. */
export async function inspectNamespace(
  client: KubernetesClient,
  name: string,
  owner: { readonly release: string; readonly deploymentId: string | undefined },
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
  return isOwned(labels, owner) ? 'ours' : 'foreign'
}

/**
 * Whether a namespace with these labels belongs to a deployment of this release. A copy of the
 * release's database has the same ids, so the release counts as well.
 */
export function isOwned(
  labels: Readonly<Record<string, string>>,
  owner: { readonly release: string; readonly deploymentId: string | undefined },
): boolean {
  return (
    labels[MANAGED_BY_LABEL] === MANAGED_BY &&
    labels[RELEASE_LABEL] === owner.release &&
    owner.deploymentId !== undefined &&
    labels[DEPLOYMENT_LABEL] === owner.deploymentId
  )
}

/**
 * Waits until a terminating namespace no longer exists. Throws Conflict `namespace_terminating` on
 * a timeout.
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
      'the previous deployment of this agent is still being removed; retry later',
      {
        cause,
        retryAfterMs: 5_000,
      },
    )
  }
}
