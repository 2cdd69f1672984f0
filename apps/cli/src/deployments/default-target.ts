import type { Schemas } from '@slipway/client'

/**
 * The revision that a rollback restores if none is named: the newest before the live one that was
 * ready and differs. Undefined if the newest revisions don't tell. A list of revisions says that
 * two differ if their builds do, or if one directly follows the other.
 */
export function defaultTarget(revisions: readonly Schemas['Revision'][]): number | undefined {
  const live = revisions.find((each) => each.live)
  if (live === undefined) return undefined
  const newest = revisions.find(
    ({ revision, restorable, was_ready: was }) => revision < live.revision && restorable && was,
  )
  if (newest === undefined) return undefined
  const differs = newest.build_id !== live.build_id || newest.revision === live.revision - 1
  return differs ? newest.revision : undefined
}
