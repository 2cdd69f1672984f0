import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'

import type { RevisionState } from '../domain/states.ts'
import type { DeployerSchema, RevisionTable } from './tables.ts'

/** A revision as stored. */
export type RevisionRow = Selectable<RevisionTable>

type Db = Kysely<DeployerSchema>

/** Stores a new revision. */
export async function insertRevision(db: Db, row: Insertable<RevisionTable>): Promise<void> {
  await db.insertInto('revision').values(row).execute()
}

/** One revision of a deployment. */
export async function findRevision(db: Db, deploymentId: string, revision: number): Promise<RevisionRow | undefined> {
  return await db
    .selectFrom('revision')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .executeTakeFirst()
}

/** Ends the apply of a revision; returns the state that it had before. */
export async function finishRevision(
  db: Db,
  deploymentId: string,
  revision: number,
  result: { state: RevisionState; errors: readonly string[] },
): Promise<RevisionState | undefined> {
  const before = await db
    .selectFrom('revision')
    .select('state')
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  await db
    .updateTable('revision')
    .set({
      state: result.state,
      errors: JSON.stringify(result.errors),
      finish_time: sql<Date>`now()`,
      ...(result.state === 'applied' ? { fully_applied: true } : {}),
    })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .execute()
  return before?.state
}

/** Marks every other revision that was live, or meant to be, as superseded. */
export async function supersedeOthers(db: Db, deploymentId: string, revision: number): Promise<void> {
  await db
    .updateTable('revision')
    .set({ state: 'superseded' })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '!=', revision)
    .where('state', 'in', ['pending', 'applying', 'applied', 'partial'])
    .execute()
}

/** Revisions of a deployment, newest first, below `before`. */
export async function listRevisions(
  db: Db,
  deploymentId: string,
  page: { before: number; limit: number },
): Promise<RevisionRow[]> {
  return await db
    .selectFrom('revision')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('revision', '<', page.before)
    .orderBy('revision', 'desc')
    .limit(page.limit)
    .execute()
}

/** Ends revisions whose apply was interrupted, because another one begins. */
export async function abandonRevisions(db: Db, deploymentId: string): Promise<{ revision: number; buildId: string }[]> {
  return await db
    .updateTable('revision')
    .set({ state: 'failed', finish_time: sql<Date>`now()` })
    .where('deployment_id', '=', deploymentId)
    .where('state', 'in', ['pending', 'applying'])
    .returning(['revision', 'build_id as buildId'])
    .execute()
}
