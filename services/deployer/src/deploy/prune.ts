import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import type { ResourceResult } from '../domain/states.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { describeRefusal } from './apply-objects.ts'
import type { Attempt } from './apply-revision.ts'

/** Revisions whose Secrets and config maps stay, so that a rollback has its values. */
const KEPT_REVISIONS = 3

/** What pruning did. */
export interface PruneOutcome {
  readonly results: readonly ResourceResult[]
  /** Rows that the inventory can forget. */
  readonly pruned: readonly ClusterObjectRow[]
}

/**
 * Deletes objects of the inventory that the revision doesn't have. Only ever called with rows of the inventory: labels
 * are on the controllers' own objects, too. Claims are in no inventory; generated passwords stay with them.
 */
export async function pruneObjects(
  { kubernetes }: DeployerContext,
  { revision, composed, signal }: Attempt,
  candidates: readonly ClusterObjectRow[],
): Promise<PruneOutcome> {
  const { namespace } = composed.identity
  const obsolete = candidates.filter((row) => !isKept(row, revision))
  const outcomes = await Promise.all(
    obsolete.map(async (row): Promise<{ row: ClusterObjectRow; result: ResourceResult | undefined }> => {
      const { api_version: apiVersion, kind, name } = row
      const result = { kind, name, namespace }
      try {
        const existed = await deleteObject(kubernetes, { apiVersion, kind, namespace, name }, { signal })
        return { row, result: existed ? { ...result, status: 'pruned', message: '' } : undefined }
      } catch (error) {
        return { row, result: { ...result, status: 'failed', message: describeRefusal(error, []) } }
      }
    }),
  )
  return {
    results: outcomes.flatMap(({ result }) => result ?? []),
    pruned: outcomes.flatMap(({ row, result }) => (result?.status === 'failed' ? [] : row)),
  }
}

function isKept({ kind, name, component, revision }: ClusterObjectRow, current: number): boolean {
  if (kind !== 'Secret' && kind !== 'ConfigMap') return false
  const isOfRevision = component !== ''
  if (!isOfRevision) return name.endsWith('-password')
  return revision > current - KEPT_REVISIONS
}
