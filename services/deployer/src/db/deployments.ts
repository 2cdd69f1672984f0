import { NotFound } from '@slipway/shared/errors'
import { sql, type Kysely, type Selectable, type Updateable } from 'kysely'

import type { DeployerSchema, DeploymentTable } from './tables.ts'

/** A deployment as stored. */
export type DeploymentRow = Selectable<DeploymentTable>

type Db = Kysely<DeployerSchema>

/** The live deployment of an agent in an account, if there is one. */
export async function findLiveDeployment(
  db: Db,
  accountId: string,
  agent: string,
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployment')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('agent', '=', agent)
    .where('undeploy_time', 'is', null)
    .executeTakeFirst()
}

/** As findLiveDeployment; NotFound `deployment_not_found` when there is none. */
export async function requireLiveDeployment(
  db: Db,
  accountId: string,
  agent: string,
): Promise<DeploymentRow> {
  const found = await findLiveDeployment(db, accountId, agent)
  if (found === undefined) {
    throw new NotFound('deployment_not_found', `agent ${agent} is not deployed`, {
      metadata: { agent },
    })
  }
  return found
}

/** The live deployment that a namespace belongs to, if it is the account's. */
export async function findDeploymentByNamespace(
  db: Db,
  accountId: string,
  namespace: string,
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployment')
    .selectAll()
    .where('k8s_namespace', '=', namespace)
    .where('undeploy_time', 'is', null)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** A deployment by its id. */
export async function findDeployment(
  db: Db,
  deploymentId: string,
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployment')
    .selectAll()
    .where('id', '=', deploymentId)
    .executeTakeFirst()
}

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

/** Changes a deployment. */
export async function updateDeployment(
  db: Db,
  deploymentId: string,
  change: Updateable<DeploymentTable>,
): Promise<void> {
  await db.updateTable('deployment').set(change).where('id', '=', deploymentId).execute()
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

/** The live deployment that an ingest token belongs to, with the build that its cluster has. */
export async function findDeploymentByIngestToken(
  db: Db,
  tokenSha256: Buffer,
): Promise<{ id: string; account_id: string; agent: string; build_id: string } | undefined> {
  return await db
    .selectFrom('deployment')
    .innerJoin('revision', (join) =>
      join
        .onRef('revision.deployment_id', '=', 'deployment.id')
        .on(
          'revision.revision',
          '=',
          sql<number>`coalesce(deployment.live_revision, deployment.last_revision)`,
        ),
    )
    .select(['deployment.id', 'deployment.account_id', 'deployment.agent', 'revision.build_id'])
    .where('deployment.ingest_token_sha256', '=', tokenSha256)
    .where('deployment.undeploy_time', 'is', null)
    .executeTakeFirst()
}

/** Ids of all deployments that are not undeployed. */
export async function listLiveDeploymentIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('deployment')
    .select('id')
    .where('undeploy_time', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** The deployments that are on their way to ready, with the revision that is. */
export async function listProgressing(
  db: Db,
): Promise<Pick<DeploymentRow, 'id' | 'live_revision'>[]> {
  return await db
    .selectFrom('deployment')
    .select(['id', 'live_revision'])
    .where('state', '=', 'progressing')
    .where('undeploy_time', 'is', null)
    .execute()
}

/** Deployments whose last apply or undeploy was not seen to its end. */
export async function listUnfinished(db: Db): Promise<DeploymentRow[]> {
  // Two statements, each in the very words of an index: this is asked every second.
  const interrupted = db.selectFrom('deployment').selectAll().where('attempt_id', 'is not', null)
  const going = db
    .selectFrom('deployment')
    .selectAll()
    .where((where) =>
      where.or([
        where('state', '=', 'undeploying'),
        where.and([
          where('undeploy_time', 'is not', null),
          where('namespace_gone_time', 'is', null),
        ]),
      ]),
    )
  return [...(await interrupted.execute()), ...(await going.execute())]
}

/** Notes that the namespace of an undeployed deployment is gone. */
export async function markNamespaceGone(db: Db, deploymentId: string): Promise<void> {
  await db
    .updateTable('deployment')
    .set({ namespace_gone_time: sql<Date>`now()` })
    .where('id', '=', deploymentId)
    .execute()
}
