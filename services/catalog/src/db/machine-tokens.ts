import { sql, type Kysely } from 'kysely'

import type { TokenRole } from '../domain/machine-token.ts'
import { tokenRole } from './membership-join.ts'
import type { CatalogSchema, MachineTokenTable } from './tables.ts'

/** A token, without the hash of its secret. */
export interface MachineTokenRow {
  readonly id: string
  readonly name: string
  readonly role: TokenRole
  readonly created_by: string
  readonly create_time: Date
  readonly expire_time: Date
  readonly last_use_time: Date | null
}

/** A token that is valid now. Its role is at most its creator's. */
export interface ValidTokenRow extends MachineTokenRow {
  readonly account_id: string
  readonly creator_realm: string
  readonly creator_subject: string
}

const COLUMNS = [
  'id',
  'name',
  'role',
  'created_by',
  'create_time',
  'expire_time',
  'last_use_time',
] as const satisfies readonly (keyof MachineTokenTable)[]

/** Finds the token whose secret has a hash, unless it has expired or its creator has left. */
export async function findValidToken(
  db: Kysely<CatalogSchema>,
  hash: Buffer,
): Promise<ValidTokenRow | undefined> {
  const { rows } = await sql<ValidTokenRow>`
    SELECT token.id, token.name, ${tokenRole} AS role, token.created_by, token.create_time,
      token.expire_time, token.last_use_time, token.account_id,
      app_user.realm AS creator_realm, app_user.subject AS creator_subject
    FROM machine_token token
    JOIN member ON member.account_id = token.account_id AND member.user_id = token.created_by
    JOIN app_user ON app_user.id = token.created_by
    WHERE token.hash = ${hash} AND token.expire_time > now()`.execute(db)
  return rows[0]
}

/** Lists all tokens of an account, sorted by name. */
export async function listTokens(
  db: Kysely<CatalogSchema>,
  accountId: string,
): Promise<readonly MachineTokenRow[]> {
  return await db
    .selectFrom('machine_token')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute()
}

/** Counts the tokens of an account that have not expired. */
export async function countTokens(db: Kysely<CatalogSchema>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('machine_token')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('expire_time', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Deletes expired tokens of a locked account: those that have been in the list for a month, all
 * but the newest `kept` of the others, and the one whose name is used again.
 */
export async function deleteExpiredTokens(
  trx: Kysely<CatalogSchema>,
  { accountId, kept, name }: { accountId: string; kept: number; name: string },
): Promise<void> {
  await sql`
    DELETE FROM machine_token WHERE id IN (
      SELECT id FROM (
        SELECT id, name, expire_time, row_number() OVER (ORDER BY expire_time DESC, id) AS place
        FROM machine_token WHERE account_id = ${accountId} AND expire_time <= now()
      ) expired
      WHERE name = ${name} OR place > ${kept} OR expire_time < now() - INTERVAL '30 days'
    )`.execute(trx)
}

/** Stores a token of a locked account; undefined if another one has the name. */
export async function insertToken(
  trx: Kysely<CatalogSchema>,
  token: Pick<MachineTokenTable, 'id' | 'hash' | 'account_id' | 'created_by' | 'name' | 'role'> & {
    readonly days: number
  },
): Promise<MachineTokenRow | undefined> {
  const { days, ...columns } = token
  return await trx
    .insertInto('machine_token')
    .values({ ...columns, expire_time: sql<Date>`now() + make_interval(days => ${days})` })
    .onConflict((conflict) => conflict.constraint('machine_token_name').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Deletes a token of an account; returns its name, or undefined if there is none. */
export async function deleteToken(
  trx: Kysely<CatalogSchema>,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('machine_token')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Stores that a token was used, at most once a minute, whatever other replicas do. */
export async function recordUse(db: Kysely<CatalogSchema>, id: string): Promise<void> {
  await sql`
    UPDATE machine_token SET last_use_time = now()
    WHERE id = ${id}
      AND (last_use_time IS NULL OR last_use_time < now() - INTERVAL '1 minute')`.execute(db)
}
