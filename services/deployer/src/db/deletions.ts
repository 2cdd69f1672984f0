import { Conflict } from '@slipway/shared/errors'
import { sql } from 'kysely'

import type { NewDeployment } from './attempts.ts'
import { liveDeployments } from './deployments.ts'
import { lockAccountUse } from './footprints.ts'
import type { Db } from './tables.ts'

const RETRY_AFTER_MS = 60_000

/** The deployments that a deletion is about. */
export interface DeletionScope {
  readonly accountId: string
  /** Name of one of the account's own agents; undefined means all deployments of the account. */
  readonly agent: string | undefined
}

/** Lists the first live deployments of a scope, sorted by agent. */
export async function listLiveAgents(
  db: Db,
  { accountId, agent }: DeletionScope,
  limit: number,
): Promise<readonly string[]> {
  const rows = await liveDeployments(db)
    .select('agent')
    .where('account_id', '=', accountId)
    .$if(agent !== undefined, (query) =>
      query.where('agent', '=', agent ?? '').where('source_account_id', '=', accountId),
    )
    .orderBy('agent')
    .limit(limit)
    .execute()
  return rows.map((row) => row.agent)
}

/** Prevents new deployments of an agent, or in an account, for some minutes. */
export async function holdDeployments(trx: Db, id: string, minutes: number): Promise<void> {
  await sql`
    DELETE FROM deletion WHERE id IN (
      SELECT id FROM deletion WHERE held_until <= now() LIMIT 1000 FOR UPDATE SKIP LOCKED
    )`.execute(trx)
  await sql`
    INSERT INTO deletion (id, held_until) VALUES (${id}, now() + make_interval(mins => ${minutes}))
    ON CONFLICT (id) DO UPDATE SET held_until = excluded.held_until`.execute(trx)
}

/** Allows deployments again. */
export async function releaseDeployments(db: Db, id: string): Promise<void> {
  await db.deleteFrom('deletion').where('id', '=', id).execute()
}

/**
 * Throws Conflict `being_deleted` if the account or the agent of a new deployment is being deleted.
 */
export async function refuseDuringDeletion(
  trx: Db,
  { account_id: accountId, agent_id: agentId }: NewDeployment,
): Promise<void> {
  await lockAccountUse(trx, accountId)
  const row = await trx
    .selectFrom('deletion')
    .select('id')
    .where('id', 'in', [accountId, agentId ?? ''])
    .where('held_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (row === undefined) return
  throw new Conflict('being_deleted', 'the agent or its account is being deleted; retry later', {
    retryAfterMs: RETRY_AFTER_MS,
  })
}

/**
 * Deletes the history of undeployed deployments of an account, or of one agent that it owns. A
 * deployment whose namespace still exists keeps its row, which the reconciler needs;
 * `markNamespaceGone` deletes it.
 */
export async function deleteHistory(
  trx: Db,
  { accountId, agent }: { accountId: string; agent: { id: string; name: string } | undefined },
): Promise<void> {
  const isInScope =
    agent === undefined
      ? sql`deployment.account_id = ${accountId}`
      : sql`deployment.account_id = ${accountId} AND deployment.agent = ${agent.name}
          AND deployment.source_account_id = ${accountId}
          AND coalesce(deployment.agent_id, ${agent.id}) = ${agent.id}`
  await sql`
    DELETE FROM revision USING deployment
    WHERE revision.deployment_id = deployment.id AND ${isInScope}
      AND deployment.undeploy_time IS NOT NULL`.execute(trx)
  await sql`
    DELETE FROM deployment
    WHERE ${isInScope} AND namespace_gone_time IS NOT NULL`.execute(trx)
}
