import { NotFound } from '@slipway/shared/errors'
import { sql, type Selectable, type Updateable } from 'kysely'

import type { Db, DeploymentTable } from './tables.ts'

/** A stored deployment. */
export type DeploymentRow = Selectable<DeploymentTable>

/** Selects from the live deployments: those that aren't undeployed. */
export function liveDeployments(db: Db) {
  return db.selectFrom('deployment').where('undeploy_time', 'is', null)
}

/** Finds the live deployment of an agent in an account. */
export async function findLiveDeployment(
  db: Db,
  accountId: string,
  agent: string,
): Promise<DeploymentRow | undefined> {
  return await liveDeployments(db)
    .selectAll()
    .where('account_id', '=', accountId)
    .where('agent', '=', agent)
    .executeTakeFirst()
}

/** Like findLiveDeployment, but throws NotFound `deployment_not_found` when there is none. */
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

/** Finds the account's live deployment with this namespace. */
export async function findDeploymentByNamespace(
  db: Db,
  accountId: string,
  namespace: string,
): Promise<DeploymentRow | undefined> {
  return await liveDeployments(db)
    .selectAll()
    .where('k8s_namespace', '=', namespace)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Finds the live deployment with this namespace, of any account. */
export async function findByLiveNamespace(
  db: Db,
  namespace: string,
): Promise<DeploymentRow | undefined> {
  return await liveDeployments(db)
    .selectAll()
    .where('k8s_namespace', '=', namespace)
    .executeTakeFirst()
}

/** Finds a deployment by its id. */
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

/** Updates columns of a deployment. */
export async function updateDeployment(
  db: Db,
  deploymentId: string,
  change: Updateable<DeploymentTable>,
): Promise<void> {
  await db.updateTable('deployment').set(change).where('id', '=', deploymentId).execute()
}

/**
 * The deployment of an ingest token, with its build. `valid_ms` is set for a token that was
 * replaced: how long it is still valid, in milliseconds.
 */
type IngestOwnerRow = Pick<
  DeploymentRow,
  'id' | 'account_id' | 'agent' | 'agent_id' | 'deployed_by' | 'source_account_id'
> & { readonly build_id: string; readonly valid_ms: number | null }

/** Finds the live deployment that has this ingest token, or had it until recently. */
export async function findDeploymentByIngestToken(
  db: Db,
  tokenSha256: Buffer,
): Promise<IngestOwnerRow | undefined> {
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
    .select([
      'deployment.id',
      'deployment.account_id',
      'deployment.agent',
      'deployment.deployed_by',
      'deployment.agent_id',
      'deployment.source_account_id',
      'revision.build_id',
      sql<number | null>`(
        SELECT ceil(extract(epoch FROM expire_time - now()) * 1000)::float8
          FROM former_ingest_token WHERE token_sha256 = ${tokenSha256})`.as('valid_ms'),
    ])
    .where(
      sql<boolean>`deployment.id IN (
        SELECT id FROM deployment WHERE ingest_token_sha256 = ${tokenSha256}
        UNION ALL
        SELECT deployment_id FROM former_ingest_token
         WHERE token_sha256 = ${tokenSha256} AND expire_time > now())`,
    )
    .where('deployment.undeploy_time', 'is', null)
    .executeTakeFirst()
}

/** A deployment, its account, and the user who deployed last. */
export type DeploymentOwner = Pick<DeploymentRow, 'id' | 'account_id' | 'deployed_by'>

/** Lists the owners of all live deployments. */
export async function listLiveOwners(db: Db): Promise<DeploymentOwner[]> {
  return await liveDeployments(db).select(['id', 'account_id', 'deployed_by']).execute()
}

/** Lists the live deployments in the state `progressing`. */
export async function listProgressing(
  db: Db,
): Promise<(DeploymentOwner & Pick<DeploymentRow, 'live_revision'>)[]> {
  return await liveDeployments(db)
    .select(['id', 'account_id', 'deployed_by', 'live_revision'])
    .where('state', '=', 'progressing')
    .execute()
}

/**
 * Lists the deployments with work for the reconciler: interrupted attempts, unfinished undeploys
 * and namespaces that are still terminating.
 */
export async function listUnfinished(db: Db): Promise<DeploymentRow[]> {
  // This runs every second, so each of the two queries matches the condition of a partial index.
  const interrupted = db.selectFrom('deployment').selectAll().where('attempt_id', 'is not', null)
  const undeploying = db
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
  return [...(await interrupted.execute()), ...(await undeploying.execute())]
}

/**
 * Locks a deployment's row for the rest of the transaction and returns it; undefined when there is
 * none.
 */
export async function lockDeployment(
  db: Db,
  deploymentId: string,
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployment')
    .selectAll()
    .where('id', '=', deploymentId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Marks a live deployment as undeployed. Returns the time, from the database's clock; undefined
 * when it was already undeployed.
 */
export async function markUndeployed(
  db: Db,
  deploymentId: string,
  { isNamespaceGone }: { readonly isNamespaceGone: boolean },
): Promise<Date | undefined> {
  const row = await db
    .updateTable('deployment')
    .set({
      state: 'undeployed',
      undeploy_time: sql<Date>`now()`,
      attempt_id: null,
      namespace_gone_time: isNamespaceGone ? sql<Date>`now()` : null,
    })
    .where('id', '=', deploymentId)
    .where('undeploy_time', 'is', null)
    .returning('undeploy_time')
    .executeTakeFirst()
  return row?.undeploy_time ?? undefined
}

/**
 * Records that the namespace of an undeployed deployment no longer exists. A deployment without
 * revisions, whose agent was deleted, is deleted.
 */
export async function markNamespaceGone(db: Db, deploymentId: string): Promise<void> {
  const { rows } = await sql`
    DELETE FROM deployment WHERE id = ${deploymentId} AND NOT EXISTS (
      SELECT FROM revision WHERE deployment_id = ${deploymentId}
    ) RETURNING id`.execute(db)
  if (rows.length > 0) return
  await db
    .updateTable('deployment')
    .set({ namespace_gone_time: sql<Date>`now()` })
    .where('id', '=', deploymentId)
    .execute()
}
