import { sql, type Kysely, type Selectable } from 'kysely'

import type { Role } from '../domain/role.ts'
import type { Identity } from './accounts.ts'
import type { AppUserTable, CatalogSchema } from './tables.ts'

/** A stored user. */
export type UserRow = Pick<AppUserTable, 'id' | 'email' | 'first_name' | 'last_name'>

/** A stored user, and when the token was issued that the claims are from. */
type KnownUser = UserRow & Pick<Selectable<AppUserTable>, 'claims_time'>

/** The claims of a token about a user; null if missing. */
export interface Claims {
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  /** When the token was issued. */
  readonly time: Date | null
}

export async function findUser(
  db: Kysely<CatalogSchema>,
  identity: Identity,
): Promise<KnownUser | undefined> {
  return await db
    .selectFrom('app_user')
    .select(['id', 'email', 'first_name', 'last_name', 'claims_time'])
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
      claims_time: user.claims.time,
    })
    .onConflict((conflict) => conflict.constraint('app_user_identity').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Updates the claims of a user, unless those of a newer token are stored; missing claims keep their
 * stored value.
 */
export async function updateClaims(
  db: Kysely<CatalogSchema>,
  { userId, claims }: { userId: string; claims: Claims },
): Promise<void> {
  await sql`
    UPDATE app_user SET
      email = coalesce(${claims.email}, email),
      first_name = coalesce(${claims.firstName}, first_name),
      last_name = coalesce(${claims.lastName}, last_name),
      claims_time = ${claims.time}
    WHERE id = ${userId} AND (claims_time <= ${claims.time}) IS NOT FALSE`.execute(db)
}

/**
 * Locks a user, so that the numbers of accounts that they created and of names that are reserved on
 * their behalf change in one transaction at a time.
 */
export async function lockUser(trx: Kysely<CatalogSchema>, userId: string): Promise<void> {
  await sql`SELECT FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`.execute(trx)
}

/** Counts the accounts that a user created and that still exist. */
export async function countCreatedAccounts(
  db: Kysely<CatalogSchema>,
  userId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('account')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('created_by', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * An account of a user with one of its agents. An account without agents has one row.
 */
export interface ProfileRow {
  readonly account_id: string
  readonly account_name: string
  readonly account_type: 'personal' | 'team'
  readonly role: Role
  readonly is_confirmed: boolean
  /** Whether the user is a member of more accounts. */
  readonly has_more: boolean
  readonly agent_name: string | null
  readonly registry: string
  readonly build_count: number
  readonly version_count: number
}

/** The maximum numbers of accounts and agents in a profile. */
export interface ProfileBounds {
  readonly maxAccounts: number
  /** The maximum in one account. */
  readonly maxAgents: number
  readonly maxAgentsInAll: number
}

/**
 * Lists a user's accounts, or one of them, with their agents, sorted by account, then agent. Other
 * users can add them to any number of accounts, so accounts that the user created have precedence,
 * then those they have been in for longest.
 */
export async function listProfileRows(
  db: Kysely<CatalogSchema>,
  {
    userId,
    accountId,
    maxAccounts,
    maxAgents,
    maxAgentsInAll,
  }: ProfileBounds & { userId: string; accountId?: string },
): Promise<readonly ProfileRow[]> {
  const isWanted = accountId === undefined ? sql`true` : sql`account.id = ${accountId}`
  const columns = sql`member.account_id, member.role, member.join_time, member.is_confirmed`
  const { rows } = await sql<ProfileRow>`
    WITH candidate AS (
      (SELECT ${columns}, true AS is_own
        FROM account JOIN member ON member.account_id = account.id AND member.user_id = ${userId}
        WHERE account.created_by = ${userId} AND ${isWanted} LIMIT ${maxAccounts + 1})
      UNION ALL
      (SELECT ${columns}, false
        FROM member JOIN account ON account.id = member.account_id
        WHERE member.user_id = ${userId} AND account.created_by IS DISTINCT FROM ${userId}
          AND ${isWanted}
        ORDER BY member.join_time NULLS FIRST, member.account_id LIMIT ${maxAccounts + 1})
    ), ranked AS (
      SELECT *, count(*) OVER () > ${maxAccounts} AS has_more,
        row_number() OVER (ORDER BY is_own DESC, join_time NULLS FIRST, account_id) AS rank
      FROM candidate
    ), shown AS (
      SELECT ranked.*, ${maxAgentsInAll} - coalesce(
        sum(least(coalesce(usage.agents, 0), ${maxAgents})) OVER (
          ORDER BY rank ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS agents_left
      FROM ranked LEFT JOIN account_usage usage ON usage.account_id = ranked.account_id
      WHERE rank <= ${maxAccounts}
    )
    SELECT account.id AS account_id, account.name AS account_name, account.type AS account_type,
      shown.role, shown.is_confirmed, shown.has_more, agent.name AS agent_name, build.registry,
      agent.build_count - agent.build_gaps AS build_count, agent.version_count
    FROM shown
    JOIN account ON account.id = shown.account_id
    LEFT JOIN LATERAL (
      SELECT * FROM agent WHERE agent.account_id = account.id ORDER BY agent.name
      LIMIT greatest(0, least(${maxAgents}, shown.agents_left))
    ) agent ON true
    LEFT JOIN build ON build.agent_id = agent.id AND build.ordinal = agent.build_count
    ORDER BY account.name, agent.name`.execute(db)
  return rows
}
