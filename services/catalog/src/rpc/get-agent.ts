import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'

import { findAgentView } from '../db/agents.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { isAgentName } from '../domain/check-build.ts'
import { accountNotFound, agentNotFound } from '../domain/missing.ts'
import { callerIdentity } from './access.ts'
import { toProtoVersion } from './mapping.ts'

/** Returns an agent with the builds that the caller may see. */
export function getAgent({
  db,
  limits,
}: CatalogContext): ServiceImpl<typeof AgentService>['getAgent'] {
  return async ({ account, name }, call) => {
    if (!isAccountName(account)) throw accountNotFound()
    // An invalid agent name is looked up as an empty string, so that a missing account is reported
    // first.
    const view = await findAgentView(db, {
      account,
      name: isAgentName(name) ? name : '',
      identity: callerIdentity(call),
      maxBytes: limits.detailBytes,
    })
    if (view === undefined) throw accountNotFound()
    const [newest] = view.builds
    if (newest === undefined) throw agentNotFound()
    const isMember = view.role !== null
    return {
      agent: {
        account: view.account,
        name,
        registry: newest.registry,
        versions: view.builds.map((build) => toProtoVersion(build, isMember)),
        hasMoreVersions: view.hasMore,
      },
    }
  }
}
