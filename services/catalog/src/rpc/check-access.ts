import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import { findAccess, type AccountAccess } from '../db/accounts.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { accountNotFound } from '../domain/missing.ts'
import { toProtoRole } from './mapping.ts'

const ACCOUNT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** CheckAccess */
export function checkAccess({ db }: CatalogContext): ServiceImpl<typeof AccountService>['checkAccess'] {
  return async ({ account, accountId, realm, subject }) => {
    const identity = { realm, subject }
    let access: AccountAccess | undefined
    if (!`${realm}${subject}`.includes('\0')) {
      if (ACCOUNT_ID.test(accountId)) access = await findAccess(db, { accountId, identity })
      else if (isAccountName(account)) access = await findAccess(db, { account, identity })
    }
    if (access === undefined) throw accountNotFound()
    return { accountId: access.accountId, userId: access.userId ?? '', role: toProtoRole(access.role) }
  }
}
