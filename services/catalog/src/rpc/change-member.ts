import type { HandlerContext } from '@connectrpc/connect'
import { transaction } from '@slipway/shared/db'
import { requestOrigin } from '@slipway/shared/rpc'

import { lockAccount } from '../db/accounts.ts'
import { findMemberState, findRole, removeMember, setMember } from '../db/members.ts'
import type { UserRow } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { isUserId } from '../domain/ids.ts'
import { memberNotFound, userNotFound } from '../domain/missing.ts'
import { checkRoleChange, requireRole, type Role } from '../domain/role.ts'
import { appendMemberChanged } from '../events.ts'
import { requireAccess } from './access.ts'
import { requireRoomForAccount } from './accounts-per-user.ts'

/** The role to assign to a user; undefined removes the user from the account. */
export interface MemberChange {
  readonly account: string
  readonly userId: string
  readonly role: Role | undefined
}

/**
 * Adds, changes or removes a member by the rules of `checkRoleChange`, and returns the user. Does
 * nothing if the user already has the role. Member changes of an account run one at a time, so that
 * two concurrent ones can't remove the last owner.
 */
export async function changeMember(
  context: CatalogContext,
  call: HandlerContext,
  { account, userId, role }: MemberChange,
): Promise<UserRow> {
  const { accountId, userId: actorId } = await requireAccess(context, call, {
    account,
    role: role === undefined ? 'member' : 'admin',
  })
  return await transaction(context.db, async (trx) => {
    await lockAccount(trx, accountId)
    const actor = actorId === null ? undefined : await findRole(trx, { accountId, userId: actorId })
    const isSelf = userId === actorId
    // Callers who may not manage members must not learn which users are members or have signed in.
    if (!isSelf || role !== undefined) requireRole(actor, 'admin')
    const state = isUserId(userId) ? await findMemberState(trx, { accountId, userId }) : undefined
    if (state?.user === undefined) throw userNotFound()
    if (role === undefined && state.role === undefined) throw memberNotFound()
    checkRoleChange({ actor, isSelf, from: state.role, to: role, ownerCount: state.ownerCount })
    if (state.role !== role) {
      if (role === undefined) await removeMember(trx, { accountId, userId })
      else {
        if (state.role === undefined) await requireRoomForAccount(context, trx, userId)
        await setMember(trx, { accountId, userId, role })
      }
      await appendMemberChanged(trx, { accountId, userId }, requestOrigin(call))
    }
    return state.user
  })
}
