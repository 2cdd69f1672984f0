import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { readPageSize } from '@slipway/shared/paging'

import { findAccess } from '../db/accounts.ts'
import { listEntries, listLatestBuilds } from '../db/agent-lists.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { accountNotFound } from '../domain/missing.ts'
import { PAGE_SIZES } from '../domain/page-size.ts'
import { readAgentToken } from '../domain/page-token.ts'
import { callerIdentity } from './access.ts'
import { toListResponse } from './mapping.ts'

/** Lists the agents of an account: all of them for members, the published ones for others. */
export function listAccountAgents({
  db,
  limits,
}: CatalogContext): ServiceImpl<typeof AgentService>['listAccountAgents'] {
  return async ({ account, pageSize, pageToken }, call) => {
    const page = {
      pageSize: readPageSize(pageSize, PAGE_SIZES),
      after: readAgentToken(pageToken),
      maxBytes: limits.pageBytes,
    }
    const access = isAccountName(account)
      ? await findAccess(db, { account, identity: callerIdentity(call) })
      : undefined
    if (access === undefined) throw accountNotFound()
    return toListResponse(
      access.role === null
        ? await listEntries(db, { ...page, account })
        : await listLatestBuilds(db, { ...page, accountId: access.accountId, account }),
    )
  }
}
