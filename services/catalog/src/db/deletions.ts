import { sql, type Kysely } from 'kysely'

import type { CatalogSchema } from './tables.ts'

export interface AccountContent {
  readonly name: string
  readonly agents: readonly string[]
  readonly agentCount: number
  readonly buildCount: number
  readonly memberCount: number
  /** The ids of the owners. */
  readonly owners: readonly string[]
  /** The agents with published versions, sorted. */
  readonly publishedAgents: readonly string[]
}

/** Lists the ids of an agent's newest builds, newest first. */
export async function listBuildIds(
  db: Kysely<CatalogSchema>,
  { agentId, limit }: { agentId: string; limit: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('build')
    .select('build_id')
    .where('agent_id', '=', agentId)
    .orderBy('ordinal', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.build_id)
}

/** Finds the oldest unpublished builds of an agent; returns their ordinals. */
export async function findOldestUnpublished(
  db: Kysely<CatalogSchema>,
  { agentId, limit }: { agentId: string; limit: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('build')
    .select('ordinal')
    .where('agent_id', '=', agentId)
    .where('version_key', 'is', null)
    .orderBy('ordinal')
    .limit(limit)
    .execute()
  return rows.map(({ ordinal }) => ordinal)
}

/** Deletes builds of a locked agent. At least one build of the agent must remain. */
export async function deleteBuilds(
  trx: Kysely<CatalogSchema>,
  { agentId, ordinals }: { agentId: string; ordinals: readonly number[] },
): Promise<void> {
  await trx
    .deleteFrom('build')
    .where('agent_id', '=', agentId)
    .where('ordinal', 'in', ordinals)
    .execute()
  await sql`
    UPDATE agent SET build_count = latest.ordinal,
      build_gaps = latest.ordinal - (build_count - build_gaps - ${ordinals.length})
    FROM (SELECT max(ordinal) AS ordinal FROM build WHERE agent_id = ${agentId}) latest
    WHERE agent.id = ${agentId}`.execute(trx)
}

/** Deletes a locked agent, which has no published version, and its builds. */
export async function deleteAgentRows(trx: Kysely<CatalogSchema>, agentId: string): Promise<void> {
  await trx.deleteFrom('build').where('agent_id', '=', agentId).execute()
  await trx.deleteFrom('agent').where('id', '=', agentId).execute()
}

/** Locks an account, with its agents, against all changes. */
export async function lockWholeAccount(
  trx: Kysely<CatalogSchema>,
  accountId: string,
): Promise<void> {
  // Changes to builds lock the agent before the account.
  await lockAgents(trx, accountId)
  await sql`SELECT FROM account WHERE id = ${accountId} FOR UPDATE`.execute(trx)
  // Others may have been stored meanwhile.
  await lockAgents(trx, accountId)
}

/** Reads the content of an account; undefined if there is none. Names at most `maxNames` agents. */
export async function readAccountContent(
  db: Kysely<CatalogSchema>,
  { accountId, maxNames }: { accountId: string; maxNames: number },
): Promise<AccountContent | undefined> {
  const names = (condition: string) =>
    sql`coalesce((
      array_agg(agent.name ORDER BY agent.name) FILTER (WHERE ${sql.raw(condition)})
    )[:${maxNames}], '{}')`
  const { rows } = await sql<AccountContent>`
    SELECT account.name,
      ${names('agent.id IS NOT NULL')} AS agents,
      ${names('agent.version_count > 0')} AS "publishedAgents",
      count(agent.id)::integer AS "agentCount",
      coalesce(sum(agent.build_count - agent.build_gaps), 0)::integer AS "buildCount",
      (SELECT count(*)::integer FROM member WHERE account_id = account.id) AS "memberCount",
      ARRAY(
        SELECT user_id::text FROM member WHERE account_id = account.id AND role = 'owner'
      ) AS owners
    FROM account LEFT JOIN agent ON agent.account_id = account.id
    WHERE account.id = ${accountId}
    GROUP BY account.id`.execute(db)
  return rows[0]
}

/** Deletes a locked account without published versions. Its names must have been reserved. */
export async function deleteAccountRows(
  trx: Kysely<CatalogSchema>,
  accountId: string,
): Promise<void> {
  await sql`
    DELETE FROM build USING agent
    WHERE build.agent_id = agent.id AND agent.account_id = ${accountId}`.execute(trx)
  await trx.deleteFrom('agent').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('member').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('account').where('id', '=', accountId).execute()
}

async function lockAgents(trx: Kysely<CatalogSchema>, accountId: string): Promise<void> {
  await sql`
    SELECT FROM agent WHERE account_id = ${accountId} ORDER BY id FOR UPDATE`.execute(trx)
}
