import type { HandlerContext } from '@connectrpc/connect'
import { exceedsQuota, quotaExceeded } from '@slipway/shared/account-limits'
import { transaction } from '@slipway/shared/db'
import { requestOrigin } from '@slipway/shared/rpc'

import { lockAccount } from '../db/accounts.ts'
import { confirmMember, findMemberState, findRole, removeMember, setMember } from '../db/members.ts'
import type { UserRow } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { isUserId } from '../domain/ids.ts'
import { accountNotFound, memberNotFound, userNotFound } from '../domain/missing.ts'
import { checkRoleChange, requireRole, type Role } from '../domain/role.ts'
import { appendMemberChanged } from '../events.ts'
import { requireAccessOfPerson } from './access.ts'

/** The role to assign to a user; undefined removes the user from the account. */
export interface MemberChange {
  readonly account: string
  readonly userId: string
  readonly role: Role | undefined
}

/** A member after a change. */
export interface ChangedMember {
  readonly user: UserRow
  /** Whether other members may see the user's name and e-mail address. */
  readonly isConfirmed: boolean
  readonly isSelf: boolean
}

/**
 * Adds, changes or removes a member by the rules of `checkRoleChange`. If the user already has the
 * role, the only possible change is that they confirm the membership. Member changes of an account
 * run one at a time, so that two concurrent ones can't remove the last owner.
 */
export async function changeMember(
  context: CatalogContext,
  call: HandlerContext,
  { account, userId, role }: MemberChange,
): Promise<ChangedMember> {
  const { accountId, userId: actorId } = await requireAccessOfPerson(context, call, {
    account,
    role: 'member',
  })
  return await transaction(context.db, async (trx) => {
    if ((await lockAccount(trx, accountId)) === undefined) throw accountNotFound()
    const actor = await findRole(trx, { accountId, userId: actorId })
    const isSelf = userId === actorId
    const isConfirming = isSelf && actor !== undefined && actor === role
    // Callers who may not manage members must not learn which users are members or have signed in.
    if (!isConfirming && (!isSelf || role !== undefined)) requireRole(actor, 'admin')
    const state = isUserId(userId) ? await findMemberState(trx, { accountId, userId }) : undefined
    if (state === undefined) throw userNotFound()
    if (isConfirming) {
      if (!state.isConfirmed) await confirmMember(trx, { accountId, userId })
      return { user: state.user, isConfirmed: true, isSelf }
    }
    if (role === undefined && state.role === undefined) throw memberNotFound()
    checkRoleChange({ actor, isSelf, from: state.role, to: role, ownerCount: state.ownerCount })
    if (state.role !== role) {
      if (role === undefined) await removeMember(trx, { accountId, userId })
      else {
        const bound = context.accountLimits.of(accountId).members
        const use = { limit: 'members', used: state.memberCount, bound } as const
        const added = state.role === undefined ? 1 : 0
        if (exceedsQuota(use, added)) throw quotaExceeded(use, added)
        await setMember(trx, { accountId, userId, role })
      }
      await appendMemberChanged(trx, { accountId, userId }, requestOrigin(call))
    }
    return { user: state.user, isConfirmed: state.isConfirmed, isSelf }
  })
}
