import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import { findRollbackTarget, listAppliedBefore } from '../db/revision-lists.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { containerStatuses } from '../kubernetes/pod-status.ts'
import { listPods } from '../kubernetes/pods.ts'

/**
 * The number of revisions, including the current one, whose Secrets and config maps are kept for
 * rollbacks.
 */
const KEPT_REVISIONS = 3
/**
 * For how many revisions the Secrets and config maps of partly rejected ones are kept, because
 * their pods may still be running, and the Secrets of pods that exist. Without a bound, an agent
 * whose deploys are always rejected in part would fill the cluster's store.
 */
const KEPT_PARTIAL_REVISIONS = 10

/** The Secrets and config maps of earlier revisions that a prune keeps. */
export interface Kept {
  /** Names of the Secrets from which earlier revisions can be restored. */
  readonly secrets: ReadonlySet<string>
  /** Config maps of this revision and later ones are kept. */
  readonly fromRevision: number
  /** The revisions that these are. */
  readonly revisions: ReadonlySet<number>
  /** The previous revision, whose pods may still be running. */
  readonly previous: number
}

/**
 * Finds the objects to keep in addition to those of the current revision: the objects of the last
 * fully applied revisions with different fingerprints, and of the last one of these that was ready,
 * to which a rollback goes. Partly rejected revisions don't count, because a rollback can't use
 * them.
 */
export async function findKept(
  { db }: Pick<DeployerContext, 'db'>,
  deploymentId: string,
  current: { readonly revision: number; readonly fingerprint: Buffer },
): Promise<Kept> {
  const seen = new Set([current.fingerprint.toString('hex')])
  const [applied, ready] = await Promise.all([
    listAppliedBefore(db, deploymentId, current.revision),
    findRollbackTarget(db, deploymentId, current.revision, current.fingerprint),
  ])
  const different = applied.filter(({ fingerprint }) => {
    const print = fingerprint.toString('hex')
    return !seen.has(print) && seen.add(print)
  })
  const last = different.slice(0, KEPT_REVISIONS - 1)
  const isMissing = ready && !last.some(({ fingerprint }) => fingerprint.equals(ready.fingerprint))
  const kept = isMissing ? [...last, ready] : last
  const secrets = kept.flatMap(({ secrets: { roles, sources } }) => [
    ...Object.values(roles),
    ...Object.values(sources),
  ])
  return {
    secrets: new Set(secrets.map(({ secret }) => secret)),
    fromRevision: last.at(-1)?.revision ?? current.revision,
    revisions: new Set(kept.map(({ revision }) => revision)),
    previous: current.revision - 1,
  }
}

/** Whether a prune keeps an object of the inventory. */
export function isKept({ kind, name, component, revision }: ClusterObjectRow, kept: Kept): boolean {
  if (kind !== 'Secret' && kind !== 'ConfigMap') return false
  const isOfRevision = component !== ''
  if (!isOfRevision) return name.endsWith('-password')
  if (revision >= kept.previous) return true
  return kind === 'Secret' ? kept.secrets.has(name) : revision >= kept.fromRevision
}

/** Whether a prune removes an object although the revision was rejected in part. */
export function isLeftOver(
  { kind, name, component, revision }: ClusterObjectRow,
  current: number,
  kept: Kept,
): boolean {
  const isOfRevision = component !== '' && (kind === 'Secret' || kind === 'ConfigMap')
  const isOld = !isRecent({ revision }, current)
  return isOfRevision && isOld && !kept.revisions.has(revision) && !kept.secrets.has(name)
}

/** Whether what is still used of a revision is kept. */
export function isRecent({ revision }: Pick<ClusterObjectRow, 'revision'>, current: number) {
  return revision > current - KEPT_PARTIAL_REVISIONS
}

/**
 * The Secrets of pods that exist and have started. Their logs are redacted with these: a run of an
 * ingestion, or a pod that is terminating, may be older than the revisions that a rollback needs.
 */
export async function secretsInUse(
  client: KubernetesClient,
  owner: { readonly namespace: string; readonly deploymentId: string },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const pods = await listPods(client, owner, signal)
  const started = pods.filter(({ status }) =>
    containerStatuses(status).some(({ containerID }) => containerID !== undefined),
  )
  const containers = started.flatMap(({ spec }) => [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
  ])
  return new Set(
    containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ),
  )
}
