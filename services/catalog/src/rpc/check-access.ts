import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import { findAccess, type AccountAccess } from '../db/accounts.ts'
import { findAgent } from '../db/builds.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { isAgentName } from '../domain/check-build.ts'
import { isAccountId } from '../domain/ids.ts'
import { accountNotFound } from '../domain/missing.ts'
import { toProtoRole } from './mapping.ts'

/** Looks up a user's role in an account, and one of its agents, for other services. */
export function checkAccess({
  db,
}: CatalogContext): ServiceImpl<typeof AccountService>['checkAccess'] {
  return async ({ account, accountId, agent: name, realm, subject }) => {
    const identity = { realm, subject }
    let access: AccountAccess | undefined
    if (!`${realm}${subject}`.includes('\0')) {
      if (isAccountId(accountId)) access = await findAccess(db, { accountId, identity })
      else if (isAccountName(account)) access = await findAccess(db, { account, identity })
    }
    if (access === undefined) throw accountNotFound()
    const isShown = access.role !== null && isAgentName(name)
    const agent = isShown && (await findAgent(db, { accountId: access.accountId, name }))
    return {
      accountId: access.accountId,
      userId: access.userId ?? '',
      role: toProtoRole(access.role),
      ...(agent && { agentId: agent.id }),
      ...(agent && agent.create_time && { agentCreateTime: timestampFromDate(agent.create_time) }),
    }
  }
}
