import { sql } from 'kysely'

import { wasReady } from './readiness.ts'
import type { RevisionRow } from './revisions.ts'
import type { Db } from './tables.ts'

/**
 * The number of applied revisions to read. The Secrets of two revisions are kept besides those of
 * the live one (see kept-objects.ts); the higher number allows for many with the same fingerprint.
 */
export const MAX_APPLIED = 50

/** The columns of a revision in a list. The others can have megabytes. */
const LISTED = [
  'revision',
  'state',
  'build_id',
  'version',
  'create_time',
  'created_by',
  'created_by_token_id',
  'created_by_token_name',
  'errors',
  'rolled_back_to',
  'records_readiness',
  'ready_time',
  'ready_ms',
  'ready_since',
  'reason',
] as const

/** A revision in a list, whether a rollback can restore it, and whether it was ever ready. */
export type ListedRevision = Pick<RevisionRow, (typeof LISTED)[number]> & {
  readonly restorable: boolean
  readonly was_ready: boolean
}

/**
 * Whether the inventory has every Secret that a revision's credentials are read from, and the
 * cluster has accepted each.
 */
const hasSecrets = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM jsonb_each(revision.secrets->'sources') AS source
   WHERE NOT EXISTS (
     SELECT 1 FROM cluster_object
      WHERE cluster_object.deployment_id = revision.deployment_id AND kind = 'Secret'
        AND name = source.value->>'secret' AND uid <> ''))`

/** Finds a revision as lists have it, with the settings of its deploy. */
export async function findListedRevision(
  db: Db,
  deploymentId: string,
  revision: number,
): Promise<(ListedRevision & Pick<RevisionRow, 'selection'>) | undefined> {
  return await listed(db, deploymentId)
    .select('selection')
    .where('revision', '=', revision)
    .executeTakeFirst()
}

/** Lists revisions of a deployment with numbers below `before`, newest first. */
export async function listRevisionsBefore(
  db: Db,
  deploymentId: string,
  page: { before: number; limit: number },
): Promise<ListedRevision[]> {
  return await listed(db, deploymentId)
    .where('revision', '<', page.before)
    .orderBy('revision', 'desc')
    .limit(page.limit)
    .execute()
}

function listed(db: Db, deploymentId: string) {
  return db
    .selectFrom('revision')
    .select(LISTED)
    .select([
      sql<boolean>`fully_applied AND ${hasSecrets}`.as('restorable'),
      wasReady.as('was_ready'),
    ])
    .where('deployment_id', '=', deploymentId)
}

/** Lists the newest fully applied revisions with numbers below `before`. */
export async function listAppliedBefore(
  db: Db,
  deploymentId: string,
  before: number,
): Promise<Pick<RevisionRow, 'revision' | 'build_id' | 'fingerprint' | 'secrets'>[]> {
  return await db
    .selectFrom('revision')
    .select(['revision', 'build_id', 'fingerprint', 'secrets'])
    .where('deployment_id', '=', deploymentId)
    .where('revision', '<', before)
    .where('fully_applied', '=', true)
    .orderBy('revision', 'desc')
    .limit(MAX_APPLIED)
    .execute()
}

/**
 * Finds the newest fully applied revision below `before` that was ready and has another
 * fingerprint. Revisions whose Secrets still exist take precedence.
 */
export async function findRollbackTarget(
  db: Db,
  deploymentId: string,
  before: number,
  fingerprint: Buffer,
): Promise<RevisionRow | undefined> {
  return await db
    .selectFrom('revision')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('revision', '<', before)
    .where('fully_applied', '=', true)
    .where('fingerprint', '!=', fingerprint)
    .where(wasReady)
    .orderBy(hasSecrets, 'desc')
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
}
