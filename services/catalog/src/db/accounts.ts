import { sql, type Kysely } from 'kysely'

import type { Role } from '../domain/role.ts'
import { membershipJoin } from './membership-join.ts'
import type { CatalogSchema } from './tables.ts'

/** Identifies a user. */
export interface Identity {
  readonly realm: string
  readonly subject: string
}

/** An account, and a user's role in it. */
export interface AccountAccess {
  readonly accountId: string
  readonly accountName: string
  readonly accountType: 'personal' | 'team'
  /** Null if the user has never signed in. */
  readonly userId: string | null
  /** Null if the user is not a member. */
  readonly role: Role | null
}

/**
 * Finds an account by its current name or its id, with a user's role. Without an identity, the role
 * is null.
 */
export async function findAccess(
  db: Kysely<CatalogSchema>,
  {
    identity,
    ...account
  }: { identity: Identity | undefined } & ({ account: string } | { accountId: string }),
): Promise<AccountAccess | undefined> {
  const isAccount =
    'account' in account
      ? sql`account.name = ${account.account}`
      : sql`account.id = ${account.accountId}`
  const { rows } = await sql<AccountAccess>`
    SELECT account.id AS "accountId", account.name AS "accountName", account.type AS "accountType",
      app_user.id AS "userId", member.role
    FROM account
    ${membershipJoin(identity)}
    WHERE ${isAccount}`.execute(db)
  return rows[0]
}

/** Finds the current name of an account. */
export async function findAccountName(
  db: Kysely<CatalogSchema>,
  accountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('account')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.name
}

/** Locks an account against concurrent renames and member changes; returns its current name. */
export async function lockAccount(
  trx: Kysely<CatalogSchema>,
  accountId: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('account')
    .select('name')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row?.name
}

/** Locks an account against deletion; returns false if there is no such account. */
export async function keepAccount(trx: Kysely<CatalogSchema>, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM account WHERE id = ${accountId} FOR KEY SHARE`.execute(trx)
  return rows.length > 0
}

/**
 * Assigns a name to an account, if it is unused, no longer reserved, or reserved for this account.
 * Returns false if the name belongs to another account or is reserved for one.
 */
export async function claimAccountName(
  trx: Kysely<CatalogSchema>,
  { name, accountId }: { name: string; accountId: string },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO account_name (name, account_id) VALUES (${name}, ${accountId})
    ON CONFLICT (name) DO UPDATE
      SET account_id = excluded.account_id, held_until = NULL, held_by = NULL
      WHERE account_name.held_until <= now()
        OR (account_name.held_until IS NOT NULL AND account_name.account_id = excluded.account_id)
    RETURNING name`.execute(trx)
  return rows.length > 0
}

/**
 * Reserves the previous name of an account for some days, on behalf of a user, or forever if the
 * account has published a version (by a trigger). Deletes the names that are no longer reserved for
 * the account, or on behalf of the user.
 */
export async function holdAccountName(
  trx: Kysely<CatalogSchema>,
  hold: { name: string; accountId: string; userId: string; days: number },
): Promise<void> {
  await sql`
    UPDATE account_name
    SET held_until = now() + make_interval(days => ${hold.days}), held_by = ${hold.userId}
    WHERE name = ${hold.name} AND account_id = ${hold.accountId}`.execute(trx)
  await sql`
    DELETE FROM account_name
    WHERE (account_id = ${hold.accountId} OR held_by = ${hold.userId})
      AND held_until <= now()`.execute(trx)
}

/** The names that are reserved on behalf of a user. */
export interface HeldNames {
  readonly count: number
  /** When the first of them is released; null if there are none. */
  readonly nextRelease: Date | null
}

/** Counts the names that are reserved on behalf of a user. */
export async function countHeldNames(
  trx: Kysely<CatalogSchema>,
  userId: string,
): Promise<HeldNames> {
  const { rows } = await sql<HeldNames>`
    SELECT count(*) AS count, min(held_until) AS "nextRelease"
    FROM account_name WHERE held_by = ${userId} AND held_until > now()`.execute(trx)
  return rows[0] ?? { count: 0, nextRelease: null }
}

/** Counts the previous names that an account keeps forever. */
export async function countKeptNames(
  trx: Kysely<CatalogSchema>,
  accountId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count
    FROM account_name WHERE account_id = ${accountId} AND held_until = 'infinity'`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Stores an account with its first owner. Its name must have been claimed. */
export async function insertAccount(
  trx: Kysely<CatalogSchema>,
  account: { id: string; name: string; type: 'personal' | 'team'; ownerId: string },
): Promise<void> {
  await trx
    .insertInto('account')
    .values({
      id: account.id,
      name: account.name,
      type: account.type,
      personal_user_id: account.type === 'personal' ? account.ownerId : null,
      created_by: account.ownerId,
    })
    .execute()
  await trx
    .insertInto('member')
    .values({
      account_id: account.id,
      user_id: account.ownerId,
      role: 'owner',
      is_confirmed: true,
    })
    .execute()
}

/** Counts the renames of an account in the last hour, by their events. */
export async function countRecentRenames(
  trx: Kysely<CatalogSchema>,
  accountId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM outbox
    WHERE aggregate_id = ${accountId} AND subject LIKE 'slipway.account.%.renamed'
      AND commit_time > now() - INTERVAL '1 hour'`.execute(trx)
  return rows[0]?.count ?? 0
}

/**
 * Renames an account. The new name must have been claimed. The public list follows by a cascade.
 */
export async function setAccountName(
  trx: Kysely<CatalogSchema>,
  { accountId, name }: { accountId: string; name: string },
): Promise<void> {
  await trx.updateTable('account').set({ name }).where('id', '=', accountId).execute()
}
