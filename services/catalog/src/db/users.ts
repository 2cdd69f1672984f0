import { sql, type Kysely } from 'kysely'

import type { Role } from '../domain/role.ts'
import type { Identity } from './accounts.ts'
import type { AppUserTable, CatalogSchema } from './tables.ts'

/** A stored user. */
export type UserRow = Pick<AppUserTable, 'id' | 'email' | 'first_name' | 'last_name'>

/** The claims of a token about a user; null if missing. */
export interface Claims {
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string | null
}

/** Finds a user. */
export async function findUser(
  db: Kysely<CatalogSchema>,
  identity: Identity,
): Promise<UserRow | undefined> {
  return await db
    .selectFrom('app_user')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('realm', '=', identity.realm)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
}

/**
 * Stores a user; returns false if a concurrent call stored them first. Waits for concurrent
 * transactions.
 */
export async function insertUser(
  trx: Kysely<CatalogSchema>,
  user: { id: string; identity: Identity; claims: Claims },
): Promise<boolean> {
  const row = await trx
    .insertInto('app_user')
    .values({
      id: user.id,
      realm: user.identity.realm,
      subject: user.identity.subject,
      email: user.claims.email,
      first_name: user.claims.firstName,
      last_name: user.claims.lastName,
    })
    .onConflict((conflict) => conflict.constraint('app_user_identity').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Updates the claims of a user; missing claims keep their stored value. */
export async function updateClaims(
  db: Kysely<CatalogSchema>,
  { userId, claims }: { userId: string; claims: Claims },
): Promise<void> {
  await sql`
    UPDATE app_user SET
      email = coalesce(${claims.email}, email),
      first_name = coalesce(${claims.firstName}, first_name),
      last_name = coalesce(${claims.lastName}, last_name)
    WHERE id = ${userId}`.execute(db)
}

/**
 * An account of a user with one of its agents. An account without agents has one row.
 */
export interface ProfileRow {
  readonly account_id: string
  readonly account_name: string
  readonly account_type: 'personal' | 'team'
  readonly role: Role
  readonly agent_name: string | null
  readonly registry: string
  readonly build_count: number
  readonly version_count: number
}

/**
 * Lists a user's accounts with their agents, sorted by account, then agent. Each account has at
 * most `maxAgents` agents, and at most an equal share of `maxAgentsInAll`.
 */
export async function listProfileRows(
  db: Kysely<CatalogSchema>,
  {
    userId,
    maxAgents,
    maxAgentsInAll,
  }: { userId: string; maxAgents: number; maxAgentsInAll: number },
): Promise<readonly ProfileRow[]> {
  const { rows } = await sql<ProfileRow>`
    SELECT account.id AS account_id, account.name AS account_name, account.type AS account_type,
      member.role, agent.name AS agent_name, build.registry,
      agent.build_count - agent.build_gaps AS build_count, agent.version_count
    FROM member
    JOIN account ON account.id = member.account_id
    LEFT JOIN LATERAL (
      SELECT * FROM agent WHERE agent.account_id = account.id ORDER BY agent.name
      LIMIT (
        SELECT least(${maxAgents}::bigint, ${maxAgentsInAll}::bigint / greatest(count(*), 1))
        FROM member WHERE user_id = ${userId}
      )
    ) agent ON true
    LEFT JOIN build ON build.agent_id = agent.id AND build.ordinal = agent.build_count
    WHERE member.user_id = ${userId}
    ORDER BY account.name, agent.name`.execute(db)
  return rows
}
