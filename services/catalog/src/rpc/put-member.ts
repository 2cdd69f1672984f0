import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { Violations } from '@slipway/shared/errors'

import type { CatalogContext } from '../context.ts'
import { ROLES } from '../domain/role.ts'
import { changeMember } from './change-member.ts'
import { fromProtoRole, toProtoMember } from './mapping.ts'

/** Adds a member or changes their role. */
export function putMember(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['putMember'] {
  return async ({ account, userId, role: protoRole }, call) => {
    const role = fromProtoRole(protoRole)
    new Violations()
      .requireFilled({ user_id: userId })
      .require(role !== undefined, 'role', `must be one of ${ROLES.join(', ')}`)
      .throwIfAny()
    const { user, ...member } = await changeMember(context, call, { account, userId, role })
    return { member: toProtoMember(user, { role: protoRole, ...member }) }
  }
}
