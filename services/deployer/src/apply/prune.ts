import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import type { ResourceResult } from '../domain/states.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { doEach } from '../kubernetes/settle-each.ts'
import { describeRefusal } from './apply-objects.ts'
import { findKept, isKept, isLeftOver, isRecent, secretsInUse } from './kept-objects.ts'
import type { Attempt } from './intent.ts'

/** The outcome of a prune. */
export interface PruneOutcome {
  readonly results: readonly ResourceResult[]
  /** Rows to remove from the inventory. */
  readonly pruned: readonly ClusterObjectRow[]
}

/**
 * Deletes objects that aren't part of the revision. `candidates` come from the inventory, never
 * from a label query, because controllers' objects have the same labels. Claims aren't in the
 * inventory, so they are kept, together with the generated passwords of their stores. If the
 * revision was rejected in part (`isPartial`), only old leftovers are deleted.
 */
export async function pruneObjects(
  context: DeployerContext,
  { composed, signal }: Attempt,
  candidates: readonly ClusterObjectRow[],
  { isPartial }: { readonly isPartial: boolean },
): Promise<PruneOutcome> {
  const { namespace } = composed.identity
  if (candidates.length === 0) return { results: [], pruned: [] }
  const wanted = { composed, isPartial, signal }
  const obsolete = await findObsolete(context, wanted, candidates)
  const outcomes = await doEach(
    obsolete,
    async (row): Promise<{ row: ClusterObjectRow; result: ResourceResult | undefined }> => {
      const { api_version: apiVersion, kind, name } = row
      const result = { kind, name, namespace }
      try {
        const existed = await deleteObject(
          context.kubernetes,
          { apiVersion, kind, namespace, name },
          { signal },
        )
        return { row, result: existed ? { ...result, status: 'pruned', message: '' } : undefined }
      } catch (error) {
        return {
          row,
          result: { ...result, status: 'failed', message: describeRefusal(error, []) },
        }
      }
    },
  )
  return {
    results: outcomes.flatMap(({ result }) => result ?? []),
    pruned: outcomes.flatMap(({ row, result }) => (result?.status === 'failed' ? [] : row)),
  }
}

/** Returns the candidates that a prune deletes. */
export async function findObsolete(
  context: DeployerContext,
  {
    composed: { identity, revision, fingerprint },
    isPartial,
    signal,
  }: Pick<Attempt, 'composed' | 'signal'> & { readonly isPartial: boolean },
  candidates: readonly ClusterObjectRow[],
): Promise<ClusterObjectRow[]> {
  const kept = await findKept(context, identity.deploymentId, { revision, fingerprint })
  const obsolete = candidates.filter((row) =>
    isPartial ? isLeftOver(row, revision, kept) : !isKept(row, kept),
  )
  if (!obsolete.some(({ kind }) => kind === 'Secret')) return obsolete
  const inUse = await secretsInUse(context.kubernetes, identity, signal)
  return obsolete.filter(
    (row) => row.kind !== 'Secret' || !inUse.has(row.name) || !isRecent(row, revision),
  )
}
