import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { transaction } from '@slipway/shared/db'
import { Violations } from '@slipway/shared/errors'
import { recordResponse } from '@slipway/shared/idempotency'
import { requestOrigin } from '@slipway/shared/rpc'

import { findBuildByVersion, lockAgent, setYanked } from '../db/builds.ts'
import { refreshCatalogEntry } from '../db/catalog-entries.ts'
import type { CatalogContext } from '../context.ts'
import { AGENT_NAME_RULE, isAgentName } from '../domain/check-build.ts'
import { agentNotFound, versionNotFound } from '../domain/missing.ts'
import { parseVersion, VERSION_RULE } from '../domain/version.ts'
import { appendVersionYanked } from '../events.ts'
import { requireAccess } from './access.ts'

/** Yanks a version: it is no longer selected as the latest, nor shown in lists. */
export function yankVersion(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['yankVersion'] {
  return async (request, call) => await changeYank(context, call, request, true)
}

export function unyankVersion(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['unyankVersion'] {
  return async (request, call) => await changeYank(context, call, request, false)
}

/** Yanks or unyanks a version, unless it already has that state; returns the id of its build. */
async function changeYank(
  context: CatalogContext,
  call: HandlerContext,
  request: { account: string; name: string; version: string },
  isYanked: boolean,
): Promise<{ buildId: string }> {
  const { account, name } = request
  const version = parseVersion(request.version)
  new Violations()
    .require(isAgentName(name), 'name', AGENT_NAME_RULE)
    .require(version !== undefined, 'version', VERSION_RULE)
    .throwIfAny()
  const { accountId } = await requireAccess(context, call, { account, role: 'admin' })
  return await transaction(context.db, async (trx) => {
    const agent = await lockAgent(trx, { accountId, name })
    if (agent === undefined) throw agentNotFound()
    const build =
      version && (await findBuildByVersion(trx, { agentId: agent.id, versionKey: version.key }))
    // Versions that differ only in build metadata have the same key, but only one is published.
    if (build === undefined || build.version !== version?.text) throw versionNotFound()
    if (build.is_yanked !== isYanked) {
      await setYanked(trx, { agentId: agent.id, ordinal: build.ordinal, isYanked })
      await refreshCatalogEntry(trx, { id: agent.id, accountId, name })
      const event = { accountId, agentId: agent.id, agent: name, version: version.text, isYanked }
      await appendVersionYanked(trx, event, requestOrigin(call))
    }
    const response = { buildId: build.build_id }
    await recordResponse(call, trx, response)
    return response
  })
}
