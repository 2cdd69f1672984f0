import { sql } from 'kysely'

import { wasReady } from './readiness.ts'
import { MAX_APPLIED } from './revision-lists.ts'
import type { Db } from './tables.ts'

/** How many undeployed deployments of an account are kept. */
const KEPT_GONE_DEPLOYMENTS = 100
/** Bounds the cost of one deploy; what is left over is deleted by the next ones. */
const MAX_DELETED = 100

/**
 * Deletes the revisions of a deployment before its newest `kept` ones. Keeps those that are live,
 * being applied or were last ready, and those among which a rollback looks for its target.
 */
export async function deleteOldRevisions(
  db: Db,
  deploymentId: string,
  { last, kept }: { last: number; kept: number },
): Promise<void> {
  await sql`
    DELETE FROM revision WHERE deployment_id = ${deploymentId} AND revision IN (
      SELECT old.revision FROM revision old
      JOIN deployment ON deployment.id = old.deployment_id
      WHERE old.deployment_id = ${deploymentId} AND old.revision <= ${last - kept}
        AND old.revision NOT IN (
          coalesce(live_revision, 0), coalesce(ready_revision, 0), coalesce(attempt_revision, 0))
        AND old.revision NOT IN (
          SELECT revision FROM revision
          WHERE deployment_id = ${deploymentId} AND fully_applied
          ORDER BY revision DESC LIMIT ${MAX_APPLIED})
        AND old.revision NOT IN (
          SELECT revision FROM revision
          WHERE deployment_id = ${deploymentId} AND fully_applied AND ${wasReady}
          ORDER BY revision DESC LIMIT 2)
      ORDER BY old.revision
      LIMIT ${MAX_DELETED})`.execute(db)
}

/** Deletes an account's oldest deployments that are undeployed and whose namespace is gone. */
export async function deleteGoneDeployments(db: Db, accountId: string): Promise<void> {
  await sql`
    DELETE FROM deployment WHERE id IN (
      SELECT id FROM deployment
      WHERE account_id = ${accountId} AND namespace_gone_time IS NOT NULL
      ORDER BY namespace_gone_time DESC
      OFFSET ${KEPT_GONE_DEPLOYMENTS} LIMIT ${MAX_DELETED})`.execute(db)
}
