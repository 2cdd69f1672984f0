import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { transaction } from '@slipway/shared/db'
import { FailedPrecondition, Violations } from '@slipway/shared/errors'
import { requestOrigin } from '@slipway/shared/rpc'

import { countBuilds, lockAgent } from '../db/builds.ts'
import { deleteAgentRows, listBuildIds } from '../db/deletions.ts'
import type { CatalogContext } from '../context.ts'
import { AGENT_NAME_RULE, isAgentName } from '../domain/check-build.ts'
import { agentNotFound } from '../domain/missing.ts'
import { appendAgentDeleted } from '../events.ts'
import { requireAccessByToken } from './access.ts'

const MAX_BUILD_IDS = 1_000

/** Deletes an agent without published versions, for the deployer. */
export function deleteAgent(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['deleteAgent'] {
  return async ({ account, name, dryRun, userToken }, call) => {
    new Violations().require(isAgentName(name), 'name', AGENT_NAME_RULE).throwIfAny()
    const wanted = { account, role: 'admin' } as const
    const { accountId } = await requireAccessByToken(context, userToken, wanted)
    return await transaction(context.db, async (trx) => {
      const agent = await lockAgent(trx, { accountId, name })
      if (agent === undefined) throw agentNotFound()
      if (agent.version_count > 0) throw published()
      const buildIds = [...(await listBuildIds(trx, { agentId: agent.id, limit: MAX_BUILD_IDS }))]
      if (!dryRun) {
        await deleteAgentRows(trx, agent.id)
        const event = { accountId, agentId: agent.id, agent: name }
        await appendAgentDeleted(trx, event, requestOrigin(call))
      }
      const deleted = { buildIds, buildCount: countBuilds(agent) }
      return { accountId, agentId: agent.id, deleted }
    })
  }
}

function published(): FailedPrecondition {
  return new FailedPrecondition(
    'agent_published',
    'the agent has published versions, which are never deleted; yank them to hide the agent',
  )
}
