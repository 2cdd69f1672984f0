import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { transaction, uniqueViolation } from '@slipway/shared/db'
import { FailedPrecondition, Violations } from '@slipway/shared/errors'
import { recordResponse } from '@slipway/shared/idempotency'
import { requestOrigin } from '@slipway/shared/rpc'
import type { Kysely } from 'kysely'

import { findBuild, lockAgent, setVersion } from '../db/builds.ts'
import { refreshCatalogEntry } from '../db/catalog-entries.ts'
import type { CatalogSchema } from '../db/tables.ts'
import type { CatalogContext } from '../context.ts'
import { AGENT_NAME_RULE, BUILD_ID_RULE, isAgentName, isBuildId } from '../domain/check-build.ts'
import { agentNotFound, buildNotFound } from '../domain/missing.ts'
import { parseVersion, VERSION_RULE, type Version } from '../domain/version.ts'
import { appendVersionPublished } from '../events.ts'
import { requireAccess } from './access.ts'

/** Publishes a build as a version. */
export function publishBuild(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['publishBuild'] {
  return async (request, call) => {
    const { account, name, buildId } = request
    const version = readVersion(request)
    const { accountId } = await requireAccess(context, call, { account, role: 'admin' })
    await transaction(context.db, async (trx) => {
      const agent = await lockAgent(trx, { accountId, name })
      if (agent === undefined) throw agentNotFound()
      if (await storeVersion(trx, { agentId: agent.id, buildId, version })) {
        await refreshCatalogEntry(trx, { id: agent.id, accountId, name })
        const event = { accountId, agentId: agent.id, agent: name, buildId, version: version.text }
        await appendVersionPublished(trx, event, requestOrigin(call))
      }
      await recordResponse(call, trx, {})
    })
    return {}
  }
}

function readVersion({
  name,
  buildId,
  version,
}: {
  name: string
  buildId: string
  version: string
}): Version {
  const parsed = parseVersion(version)
  new Violations()
    .require(isAgentName(name), 'name', AGENT_NAME_RULE)
    .require(isBuildId(buildId), 'build_id', BUILD_ID_RULE)
    .require(parsed !== undefined, 'version', VERSION_RULE)
    .throwIfAny()
  return parsed as Version
}

/** Publishes a build; returns false if it already has the version. */
async function storeVersion(
  trx: Kysely<CatalogSchema>,
  { agentId, buildId, version }: { agentId: string; buildId: string; version: Version },
): Promise<boolean> {
  const build = await findBuild(trx, { agentId, buildId })
  if (build === undefined) throw buildNotFound()
  if (build.version === version.text) return false
  if (build.version !== null) {
    throw new FailedPrecondition(
      'build_published',
      `the build is already published as version ${build.version}`,
    )
  }
  try {
    await setVersion(trx, { agentId, ordinal: build.ordinal, version })
    return true
  } catch (error) {
    if (uniqueViolation(error) !== 'build_version_unique') throw error
    throw new FailedPrecondition(
      'version_taken',
      `version ${version.text} is taken by another build`,
      { cause: error },
    )
  }
}
