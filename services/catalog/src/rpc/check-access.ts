import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import { findAccess } from '../db/accounts.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { accountNotFound } from '../domain/missing.ts'
import { toProtoRole } from './mapping.ts'

/** CheckAccess */
export function checkAccess({ db }: CatalogContext): ServiceImpl<typeof AccountService>['checkAccess'] {
  return async ({ account, realm, subject }) => {
    const isPossible = isAccountName(account) && !`${realm}${subject}`.includes('\0')
    const access = isPossible ? await findAccess(db, { account, identity: { realm, subject } }) : undefined
    if (access === undefined) throw accountNotFound()
    return { accountId: access.accountId, userId: access.userId ?? '', role: toProtoRole(access.role) }
  }
}
