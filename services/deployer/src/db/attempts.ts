import { sql } from 'kysely'

import { liveDeployments, type DeploymentRow } from './deployments.ts'
import type { Db } from './tables.ts'

/** The columns that are set when a deployment is created. */
export type NewDeployment = Pick<
  DeploymentRow,
  | 'id'
  | 'account_id'
  | 'agent'
  | 'source_account_id'
  | 'source_account'
  | 'agent_id'
  | 'k8s_namespace'
  | 'deployed_by'
>

/** The columns of a deployment that an attempt changes. */
export type AttemptColumns = Pick<
  DeploymentRow,
  'attempt_id' | 'attempt_revision' | 'telemetry_secret'
> &
  Partial<
    Pick<
      DeploymentRow,
      'agent_id' | 'deployed_by' | 'ingest_token_sha256' | 'last_revision' | 'source_account'
    >
  > & {
    /** A Footprint as JSON. */
    readonly footprint?: string
  }

/**
 * Stores a new deployment with its first attempt. Returns its deploy time, from the database's
 * clock.
 */
export async function insertDeployment(
  db: Db,
  row: NewDeployment,
  columns: AttemptColumns,
): Promise<Date> {
  const { deploy_time: time } = await db
    .insertInto('deployment')
    .values({ ...row, ...columns, state: 'progressing' })
    .returning('deploy_time')
    .executeTakeFirstOrThrow()
  return time
}

/**
 * Stores an attempt. If a user requested it (`deployed_by`), the deploy time is set to now. Returns
 * the deploy time, from the database's clock.
 */
export async function storeAttempt(
  db: Db,
  deploymentId: string,
  columns: AttemptColumns,
): Promise<Date> {
  const { deploy_time: time } = await db
    .updateTable('deployment')
    .set({
      ...columns,
      ...(columns.deployed_by !== undefined && { deploy_time: sql<Date>`now()` }),
    })
    .where('id', '=', deploymentId)
    .returning('deploy_time')
    .executeTakeFirstOrThrow()
  return time
}

/**
 * Locks a deployment's row for the rest of the transaction if `attemptId` is still the current
 * attempt. Undefined when another attempt has taken over; then the caller must not write anything.
 */
export async function lockAttempt(
  db: Db,
  deploymentId: string,
  attemptId: string,
): Promise<DeploymentRow | undefined> {
  return await liveDeployments(db)
    .selectAll()
    .where('id', '=', deploymentId)
    .where('attempt_id', '=', attemptId)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether `attemptId` is still the current attempt. */
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
