import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import { listMemberRows } from '../db/members.ts'
import type { CatalogContext } from '../context.ts'
import { requireAccess } from './access.ts'
import { toProtoRole, toProtoUser } from './mapping.ts'

/** ListMembers */
export function listMembers(context: CatalogContext): ServiceImpl<typeof AccountService>['listMembers'] {
  return async ({ account }, call) => {
    const { accountId } = await requireAccess(context, call, { account, role: 'member' })
    const members = await listMemberRows(context.db, accountId)
    return { members: members.map((member) => ({ user: toProtoUser(member), role: toProtoRole(member.role) })) }
  }
}
