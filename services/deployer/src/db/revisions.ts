import { sql, type Insertable, type Selectable } from 'kysely'

import type { Endpoint } from '../domain/endpoint.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import type { RevisionState } from '../domain/states.ts'
import type { Db, RevisionTable } from './tables.ts'

/** A stored revision. */
export type RevisionRow = Selectable<RevisionTable>

/** A revision to store. */
export type NewRevision = Insertable<RevisionTable>

/** Stores a new revision. */
export async function insertRevision(db: Db, row: NewRevision): Promise<void> {
  await db.insertInto('revision').values(row).execute()
}

/** Finds a revision of a deployment. */
export async function findRevision(
  db: Db,
  deploymentId: string,
  revision: number,
): Promise<RevisionRow | undefined> {
  return await db
    .selectFrom('revision')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .executeTakeFirst()
}

const FACTS = [
  'build_id',
  'errors',
  'ready_since',
  'records_readiness',
  'request_id',
  'revision',
  'state',
  'traceparent',
] as const

/** What the state of a deployment depends on. The other columns can have megabytes. */
export type RevisionFacts = Pick<RevisionRow, (typeof FACTS)[number]> & {
  /** The names of the ingestions that are started by hand. */
  readonly manual_ingestions: readonly string[]
}

/** Like findRevision, with what the state of the deployment depends on only. */
export async function findRevisionFacts(
  db: Db,
  deploymentId: string,
  revision: number,
): Promise<RevisionFacts | undefined> {
  return await db
    .selectFrom('revision')
    .select(FACTS)
    .select(
      sql<string[]>`ARRAY(
        SELECT key FROM jsonb_each(template->'ingestion')
        WHERE value->'trigger'->>'type' = 'manual'
      )`.as('manual_ingestions'),
    )
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .executeTakeFirst()
}

/**
 * Stores a new Secret plan for a revision: an interrupted apply may not have created its Secrets,
 * so the next attempt may use new ones.
 */
export async function replanRevision(
  db: Db,
  deploymentId: string,
  revision: number,
  plan: SecretPlan,
  fingerprint: Buffer,
): Promise<void> {
  await db
    .updateTable('revision')
    .set({ secrets: JSON.stringify(plan), fingerprint })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .where('fingerprint', '!=', fingerprint)
    .execute()
}

/** Stores the result of applying a revision. Returns the state that it had before. */
export async function finishRevision(
  db: Db,
  deploymentId: string,
  revision: number,
  result: { state: RevisionState; errors: readonly string[]; endpoints?: readonly Endpoint[] },
): Promise<RevisionState | undefined> {
  // The self-join returns the old value.
  const before = await db
    .updateTable('revision')
    .from('revision as before')
    .set({
      state: result.state,
      errors: JSON.stringify(result.errors),
      finish_time: sql<Date>`now()`,
      ...(result.endpoints && { endpoints: JSON.stringify(result.endpoints) }),
      ...(result.state === 'applied' ? { fully_applied: true } : {}),
    })
    .where('revision.deployment_id', '=', deploymentId)
    .where('revision.revision', '=', revision)
    .whereRef('before.deployment_id', '=', 'revision.deployment_id')
    .whereRef('before.revision', '=', 'revision.revision')
    .returning('before.state')
    .executeTakeFirst()
  return before?.state
}

/** Marks all other revisions that were applied, or still being applied, as superseded. */
export async function supersedeOthers(
  db: Db,
  deploymentId: string,
  revision: number,
): Promise<void> {
  await db
    .updateTable('revision')
    .set({ state: 'superseded' })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '!=', revision)
    .where('state', 'in', ['applying', 'applied', 'partial'])
    .execute()
}

/** Marks interrupted revisions other than `except` as failed. Returns them. */
export async function abandonRevisions(
  db: Db,
  deploymentId: string,
  except: number,
): Promise<{ revision: number; buildId: string }[]> {
  return await db
    .updateTable('revision')
    .set({ state: 'failed', finish_time: sql<Date>`now()` })
    .where('deployment_id', '=', deploymentId)
    .where('revision', '!=', except)
    .where('state', '=', 'applying')
    .returning(['revision', 'build_id as buildId'])
    .execute()
}
