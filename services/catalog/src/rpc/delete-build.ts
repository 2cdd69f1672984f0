import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { transaction } from '@slipway/shared/db'
import { FailedPrecondition, Violations } from '@slipway/shared/errors'
import { requestOrigin } from '@slipway/shared/rpc'

import { countBuilds, findBuild, lockAgent } from '../db/builds.ts'
import { deleteBuilds } from '../db/deletions.ts'
import type { CatalogContext } from '../context.ts'
import { AGENT_NAME_RULE, BUILD_ID_RULE, isAgentName, isBuildId } from '../domain/check-build.ts'
import { agentNotFound, buildNotFound } from '../domain/missing.ts'
import { appendBuildDeleted } from '../events.ts'
import { requireAccess } from './access.ts'

/** Deletes an unpublished build that is not the only one of its agent. */
export function deleteBuild(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['deleteBuild'] {
  return async ({ account, name, buildId, dryRun }, call) => {
    new Violations()
      .require(isAgentName(name), 'name', AGENT_NAME_RULE)
      .require(isBuildId(buildId), 'build_id', BUILD_ID_RULE)
      .throwIfAny()
    const { accountId } = await requireAccess(context, call, { account, role: 'admin' })
    await transaction(context.db, async (trx) => {
      const agent = await lockAgent(trx, { accountId, name })
      if (agent === undefined) throw agentNotFound()
      const build = await findBuild(trx, { agentId: agent.id, buildId })
      if (build === undefined) throw buildNotFound()
      if (build.version !== null) {
        throw new FailedPrecondition(
          'build_published',
          `the build is published as version ${build.version}, and published versions are never ` +
            'deleted; yank the version instead',
        )
      }
      if (countBuilds(agent) === 1) {
        throw new FailedPrecondition(
          'last_build',
          'the only build of an agent cannot be deleted; delete the agent instead',
        )
      }
      if (dryRun) return
      await deleteBuilds(trx, { agentId: agent.id, ordinals: [build.ordinal] })
      const event = { accountId, agentId: agent.id, agent: name, buildId }
      await appendBuildDeleted(trx, event, requestOrigin(call))
    })
    return {}
  }
}
