import { sql, type Kysely } from 'kysely'

import type { Role } from '../domain/role.ts'
import type { CatalogSchema } from './tables.ts'

/** Whom a question about rights is about; both unset for an anonymous caller. */
export interface Identity {
  readonly realm: string
  readonly subject: string
}

/** What somebody may do in an account. */
export interface AccountAccess {
  readonly accountId: string
  readonly accountName: string
  readonly accountType: 'personal' | 'team'
  /** Unset when the person never signed in. */
  readonly userId: string | null
  /** Unset when they are no member. */
  readonly role: Role | null
}

/** Finds an account by its present name or its id, with what somebody may do there. */
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
    LEFT JOIN app_user ON app_user.realm = ${identity?.realm} AND app_user.subject = ${identity?.subject}
    LEFT JOIN member ON member.account_id = account.id AND member.user_id = app_user.id
    WHERE ${isAccount}`.execute(db)
  return rows[0]
}

/** Finds an account's present name by its id. */
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

/**
 * Locks an account against renames and changes of its members by others; gives its present name.
 */
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

/**
 * Makes a name an account's own: a name nobody ever had, one whose hold is over, or one held for
 * the same account. False when it belongs to another account, or is held for one.
 */
export async function claimAccountName(
  trx: Kysely<CatalogSchema>,
  { name, accountId }: { name: string; accountId: string },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO account_name (name, account_id) VALUES (${name}, ${accountId})
    ON CONFLICT (name) DO UPDATE SET account_id = excluded.account_id, held_until = NULL
      WHERE account_name.held_until <= now()
        OR (account_name.held_until IS NOT NULL AND account_name.account_id = excluded.account_id)
    RETURNING name`.execute(trx)
  return rows.length > 0
}

/** Keeps a name that an account gave up from being taken by others for some days. */
export async function holdAccountName(
  trx: Kysely<CatalogSchema>,
  { name, accountId, days }: { name: string; accountId: string; days: number },
): Promise<void> {
  await sql`
    UPDATE account_name SET held_until = now() + make_interval(days => ${days})
    WHERE name = ${name} AND account_id = ${accountId}`.execute(trx)
}

/** Stores an account whose name was claimed, with its first owner. */
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
    })
    .execute()
  await trx
    .insertInto('member')
    .values({ account_id: account.id, user_id: account.ownerId, role: 'owner' })
    .execute()
}

/**
 * Gives an account the name that was claimed for it. What the public list shows follows by a
 * cascade.
 */
export async function setAccountName(
  trx: Kysely<CatalogSchema>,
  { accountId, name }: { accountId: string; name: string },
): Promise<void> {
  await trx.updateTable('account').set({ name }).where('id', '=', accountId).execute()
}
