import { sql, type Kysely } from 'kysely'

import type { DeploymentRow } from './deployments.ts'
import type { DeployerSchema } from './tables.ts'

type Db = Kysely<DeployerSchema>

/** What a new deployment begins with. */
export type NewDeployment = Pick<
  DeploymentRow,
  | 'id'
  | 'account_id'
  | 'agent'
  | 'source_account_id'
  | 'source_account'
  | 'k8s_namespace'
  | 'deployed_by'
>

/** What is noted of a deployment with each attempt. */
export type AttemptNote = Pick<
  DeploymentRow,
  'attempt_id' | 'attempt_revision' | 'telemetry_secret'
> &
  Partial<
    Pick<DeploymentRow, 'deployed_by' | 'ingest_token_sha256' | 'last_revision' | 'source_account'>
  >

/**
 * Stores a new deployment with its first attempt. Tells when it was accepted, by the database's
 * clock.
 */
export async function insertDeployment(
  db: Db,
  row: NewDeployment,
  note: AttemptNote,
): Promise<Date> {
  const { deploy_time: time } = await db
    .insertInto('deployment')
    .values({ ...row, ...note, state: 'progressing' })
    .returning('deploy_time')
    .executeTakeFirstOrThrow()
  return time
}

/**
 * Notes an attempt. One that somebody deploys by is accepted now, by the database's clock; tells
 * when.
 */
export async function noteAttempt(db: Db, deploymentId: string, note: AttemptNote): Promise<Date> {
  const { deploy_time: time } = await db
    .updateTable('deployment')
    .set({ ...note, ...(note.deployed_by !== undefined && { deploy_time: sql<Date>`now()` }) })
    .where('id', '=', deploymentId)
    .returning('deploy_time')
    .executeTakeFirstOrThrow()
  return time
}

/**
 * Takes a deployment's row for the rest of the transaction, if `attemptId` still is the attempt
 * under way: undefined when another one has taken over, which then must not be written over.
 */
export async function lockAttempt(
  db: Db,
  deploymentId: string,
  attemptId: string,
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployment')
    .selectAll()
    .where('id', '=', deploymentId)
    .where('attempt_id', '=', attemptId)
    .where('undeploy_time', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether `attemptId` still is the attempt under way. */
export async function isAttemptCurrent(
  db: Db,
  deploymentId: string,
  attemptId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('deployment')
    .select('id')
    .where('id', '=', deploymentId)
    .where('attempt_id', '=', attemptId)
    .executeTakeFirst()
  return row !== undefined
}
