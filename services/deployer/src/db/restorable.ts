import { sql, type Kysely } from 'kysely'

import type { RevisionRow } from './revisions.ts'
import type { DeployerSchema } from './tables.ts'

type Db = Kysely<DeployerSchema>

/** More than are ever kept, unless the same few are deployed in turn. */
const MAX_APPLIED = 50

/** A revision with whether a rollback can go back to it. */
export type ListedRevision = RevisionRow & { readonly restorable: boolean }

/**
 * Whether the cluster was seen to take every Secret that a revision's credentials are read from,
 * and still has it.
 */
const hasItsSecrets = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM jsonb_each(revision.secrets->'sources') AS source
   WHERE NOT EXISTS (
     SELECT 1 FROM cluster_object
      WHERE cluster_object.deployment_id = revision.deployment_id AND kind = 'Secret'
        AND name = source.value->>'secret' AND uid <> ''))`

/** Revisions of a deployment, newest first, below `before`. */
export async function listRevisionsBefore(
  db: Db,
  deploymentId: string,
  page: { before: number; limit: number },
): Promise<ListedRevision[]> {
  return await db
    .selectFrom('revision')
    .selectAll()
    .select(sql<boolean>`fully_applied AND ${hasItsSecrets}`.as('restorable'))
    .where('deployment_id', '=', deploymentId)
    .where('revision', '<', page.before)
    .orderBy('revision', 'desc')
    .limit(page.limit)
    .execute()
}

/** The newest revisions below `before` that were fully applied. */
export async function listAppliedBefore(
  db: Db,
  deploymentId: string,
  before: number,
): Promise<Pick<RevisionRow, 'revision' | 'fingerprint' | 'secrets'>[]> {
  return await db
    .selectFrom('revision')
    .select(['revision', 'fingerprint', 'secrets'])
    .where('deployment_id', '=', deploymentId)
    .where('revision', '<', before)
    .where('fully_applied', '=', true)
    .orderBy('revision', 'desc')
    .limit(MAX_APPLIED)
    .execute()
}

/**
 * The newest revision below `before` that was fully applied and is not what `fingerprint` stands
 * for: one whose Secrets are there, if there is any such.
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
    .orderBy(hasItsSecrets, 'desc')
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
}
