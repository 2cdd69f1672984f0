import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { readPageSize, toPageToken } from '@slipway/shared/paging'
import { requireUser } from '@slipway/shared/rpc'

import { listMemberRows } from '../db/members.ts'
import type { CatalogContext } from '../context.ts'
import { PAGE_SIZES } from '../domain/page-size.ts'
import { readMemberToken } from '../domain/page-token.ts'
import { requireAccess } from './access.ts'
import { toProtoMember, toProtoRole } from './mapping.ts'

/** Lists the members of an account. */
export function listMembers(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['listMembers'] {
  return async ({ account, pageSize: requestedSize, pageToken }, call) => {
    const pageSize = readPageSize(requestedSize, PAGE_SIZES)
    const after = readMemberToken(pageToken)
    const { accountId, userId } = await requireAccess(context, call, { account, role: 'member' })
    const isPerson = requireUser(call).machineToken === undefined
    // One more than the page size, to detect whether there is a next page.
    const found = await listMemberRows(context.db, { accountId, after, limit: pageSize + 1 })
    const members = found.slice(0, pageSize)
    const last = members.at(-1)
    return {
      members: members.map((member) =>
        toProtoMember(member, {
          role: toProtoRole(member.role),
          isConfirmed: member.is_confirmed,
          isSelf: isPerson && member.id === userId,
        }),
      ),
      nextPageToken: found.length > pageSize && last !== undefined ? toPageToken(last.id) : '',
    }
  }
}
