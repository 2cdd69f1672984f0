import { sql, type Kysely } from 'kysely'

import type { Role } from '../domain/role.ts'
import type { CatalogSchema } from './tables.ts'
import type { UserRow } from './users.ts'

/** A member of an account. */
export type MemberRow = UserRow & { readonly role: Role; readonly is_confirmed: boolean }

/** Lists the members of an account after the given user id, sorted by user id. */
export async function listMemberRows(
  db: Kysely<CatalogSchema>,
  { accountId, after, limit }: { accountId: string; after: string | undefined; limit: number },
): Promise<readonly MemberRow[]> {
  return await db
    .selectFrom('member')
    .innerJoin('app_user', 'app_user.id', 'member.user_id')
    .select([
      'app_user.id',
      'app_user.email',
      'app_user.first_name',
      'app_user.last_name',
      'member.role',
      'member.is_confirmed',
    ])
    .where('member.account_id', '=', accountId)
    .$if(after !== undefined, (query) => query.where('member.user_id', '>', after ?? ''))
    .orderBy('member.user_id')
    .limit(limit)
    .execute()
}

export async function countMembers(db: Kysely<CatalogSchema>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** The state that a member change depends on. */
export interface MemberState {
  readonly user: UserRow
  /** Undefined if the user is not a member. */
  readonly role: Role | undefined
  readonly isConfirmed: boolean
  readonly memberCount: number
  readonly ownerCount: number
}

/**
 * Finds a user, their role in an account, and its numbers of members and owners. Undefined if no
 * user with that id has signed in. The account must be locked.
 */
export async function findMemberState(
  trx: Kysely<CatalogSchema>,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<MemberState | undefined> {
  const { rows } = await sql<
    UserRow & { role: Role | null; confirmed: boolean | null; members: number; owners: number }
  >`
    SELECT app_user.id, app_user.email, app_user.first_name, app_user.last_name, member.role,
      member.is_confirmed AS confirmed, total.members, total.owners
    FROM app_user
    CROSS JOIN (
      SELECT count(*) AS members, count(*) FILTER (WHERE role = 'owner') AS owners
      FROM member WHERE account_id = ${accountId}
    ) total
    LEFT JOIN member ON member.account_id = ${accountId} AND member.user_id = app_user.id
    WHERE app_user.id = ${userId}`.execute(trx)
  const [row] = rows
  if (row === undefined) return undefined
  const { role, confirmed, members, owners, ...user } = row
  return {
    user,
    role: role ?? undefined,
    isConfirmed: confirmed ?? false,
    memberCount: members,
    ownerCount: owners,
  }
}

/** Finds the current role of a user. The account must be locked. */
export async function findRole(
  trx: Kysely<CatalogSchema>,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<Role | undefined> {
  const row = await trx
    .selectFrom('member')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** Stores that a user wants to be a member of an account. */
export async function confirmMember(
  trx: Kysely<CatalogSchema>,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  await trx
    .updateTable('member')
    .set({ is_confirmed: true })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

/** Assigns a role in an account to a user. */
export async function setMember(
  trx: Kysely<CatalogSchema>,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<void> {
  await trx
    .insertInto('member')
    .values({ account_id: accountId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ role }))
    .execute()
}

/** Removes a user from an account. */
export async function removeMember(
  trx: Kysely<CatalogSchema>,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  await trx
    .deleteFrom('member')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}
