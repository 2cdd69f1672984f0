import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import type { CatalogContext } from '../context.ts'
import { changeMember } from './change-member.ts'

/** Removes a member. */
export function deleteMember(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['deleteMember'] {
  return async ({ account, userId }, call) => {
    await changeMember(context, call, { account, userId, role: undefined })
    return {}
  }
}
