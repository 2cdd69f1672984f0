import { sql } from 'kysely'

import type { Db } from './tables.ts'

/**
 * A container that crashes at start can be ready for moments. A shorter time counts only if a later
 * deploy ended it, before any container restarted.
 */
const MIN_READY = sql`interval '10 seconds'`

/** Whether the deployment was ever ready with a revision; true if that was not recorded. */
export const wasReady = sql<boolean>`(NOT records_readiness OR ready_time IS NOT NULL)`

/** Records that the deployment is ready with a revision. */
export async function startReadiness(
  db: Db,
  deploymentId: string,
  revision: number,
): Promise<void> {
  await db
    .updateTable('revision')
    .set({
      ready_time: sql<Date>`coalesce(ready_time, now())`,
      ready_since: sql<Date>`coalesce(ready_since, now())`,
    })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .where('records_readiness', '=', true)
    .execute()
}

/**
 * Records that the deployment is no longer ready with a revision, because of its pods (`failed`) or
 * because something else is deployed. Needs the components as they were meanwhile. A time that
 * counts ends the reason from before it.
 */
export async function endReadiness(
  db: Db,
  deploymentId: string,
  { failed }: { readonly failed: boolean },
): Promise<void> {
  const isShort = sql`now() - ready_since < ${MIN_READY}`
  const hasRestarts = sql`EXISTS (
    SELECT FROM component, jsonb_array_elements(component.pods) AS pod
     WHERE component.deployment_id = ${deploymentId} AND (pod->>'restarts')::int > 0)`
  const counts = sql`NOT (${isShort} AND (${failed}::boolean OR ${hasRestarts}))`
  await db
    .updateTable('revision')
    .set({
      ready_since: null,
      ready_time: sql<Date | null>`CASE WHEN ${counts} OR ready_ms > 0 THEN ready_time END`,
      ready_ms: sql<string>`ready_ms + CASE WHEN ${counts}
        THEN greatest(1, extract(epoch FROM now() - ready_since) * 1000)::bigint ELSE 0 END`,
      reason: sql<string>`CASE WHEN ${counts} THEN '' ELSE reason END`,
    })
    .where('deployment_id', '=', deploymentId)
    .where('ready_since', 'is not', null)
    .execute()
}

/**
 * Records why the deployment is not ready with a revision; an empty reason if it is. The reason
 * stays when the revision is replaced, and while the deployment is ready: it may crash again.
 */
export async function recordReason(
  db: Db,
  deploymentId: string,
  revision: number,
  reason: string,
): Promise<void> {
  await db
    .updateTable('revision')
    .set({ reason })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .where('reason', '!=', reason)
    .execute()
}
