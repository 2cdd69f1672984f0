import type { ServiceImpl } from '@connectrpc/connect'
import type {
  AgentService,
  RegisterBuildRequest,
} from '@slipway/proto/slipway/catalog/v1/agent_service'
import { userKey } from '@slipway/shared/auth'
import { transaction } from '@slipway/shared/db'
import { FailedPrecondition, invalidField } from '@slipway/shared/errors'
import { recordResponse } from '@slipway/shared/idempotency'
import { requestOrigin, requireUser } from '@slipway/shared/rpc'
import {
  buildTemplate,
  parseSpec,
  specDescription,
  SpecSyntaxError,
  specTags,
  specWarnings,
  TemplateTooLargeError,
  type DeploymentTemplate,
  type ParsedSpec,
} from '@slipway/agent-spec'
import type { Kysely } from 'kysely'

import { keepAccount } from '../db/accounts.ts'
import {
  findBuild,
  findNewestBuildId,
  insertAgent,
  insertBuild,
  lockAgent,
  readBuildContent,
  replaceBuild,
  replaceReadme,
  type BuildContent,
  type LockedAgent,
} from '../db/builds.ts'
import type { CatalogSchema } from '../db/tables.ts'
import type { CatalogContext } from '../context.ts'
import { checkBuildFields } from '../domain/check-build.ts'
import { checkCommit } from '../domain/commit.ts'
import { checkImageDigests } from '../domain/image-digests.ts'
import { accountNotFound } from '../domain/missing.ts'
import { appendBuildRegistered } from '../events.ts'
import { requireAccess } from './access.ts'
import { parseWarnings } from './mapping.ts'
import { removeOldBuilds } from './remove-old-builds.ts'
import { readInTurn } from './spec-turns.ts'
import { withinQuota } from './within-quota.ts'

/** Registers a build, or updates a registered one. */
export function registerBuild(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['registerBuild'] {
  return async (request, call) => {
    checkBuildFields(request, context.limits)
    const { accountId } = await requireAccess(context, call, {
      account: request.account,
      role: 'admin',
    })
    const user = userKey(requireUser(call))
    const content = await readInTurn(context.specs, user, () => readContent(request, context))
    const validationWarnings = parseWarnings(content.warnings_json)
    return await transaction(context.db, async (trx) => {
      const { agent, changed } = await withinQuota(context, trx, accountId, async () => {
        const stored = { id: context.randomId(), accountId, name: request.name }
        const agent = await ensureAgent(trx, stored)
        return { agent, changed: await storeBuild(context, trx, agent, request, content) }
      })
      const isPublished = changed === 'published'
      if (changed !== 'nothing') {
        const event = {
          accountId,
          agentId: agent.id,
          agent: request.name,
          buildId: request.buildId,
          isPublished,
        }
        await appendBuildRegistered(trx, event, requestOrigin(call))
      }
      // A new build is the newest one.
      const newest = changed === 'new' ? undefined : await findNewestBuildId(trx, agent.id)
      const response = {
        validationWarnings,
        hasChangedPublishedBuild: isPublished,
        newestBuildId: newest === undefined || newest === request.buildId ? '' : newest,
      }
      await recordResponse(call, trx, response)
      return response
    })
  }
}

function readContent(
  request: RegisterBuildRequest,
  { template: settings }: CatalogContext,
): BuildContent {
  const { account, name, buildId, registry, specContent } = request
  const commit = request.commit && checkCommit(request.commit)
  const parsed = parseOrRefuse(specContent)
  const template = buildOrRefuse(() =>
    buildTemplate({
      spec: parsed.spec,
      source: { account, name, build: buildId, registry },
      settings,
    }),
  )
  return {
    registry,
    spec_yaml: specContent,
    spec_json: JSON.stringify(parsed.document),
    description: specDescription(parsed.document) || null,
    tags: specTags(parsed.document),
    warnings_json: JSON.stringify(specWarnings(parsed, { agentName: name })),
    image_digests_json: JSON.stringify(checkImageDigests(request.imageDigests, template)),
    commit_json: commit === undefined ? null : JSON.stringify(commit),
  }
}

function parseOrRefuse(specContent: string): ParsedSpec {
  try {
    return parseSpec(specContent)
  } catch (error) {
    if (!(error instanceof SpecSyntaxError)) throw error
    throw invalidField('spec_content', error.message, { reason: 'invalid_spec', cause: error })
  }
}

/** Rejects a build whose deployment template would be too large. */
function buildOrRefuse(build: () => DeploymentTemplate): DeploymentTemplate {
  try {
    return build()
  } catch (error) {
    if (!(error instanceof TemplateTooLargeError)) throw error
    throw invalidField('spec_content', error.message, {
      reason: 'template_too_large',
      cause: error,
    })
  }
}

async function ensureAgent(
  trx: Kysely<CatalogSchema>,
  agent: { id: string; accountId: string; name: string },
): Promise<LockedAgent> {
  for (;;) {
    const known = await lockAgent(trx, agent)
    if (known !== undefined) return known
    if (!(await keepAccount(trx, agent.accountId))) throw accountNotFound()
    // If another call has stored the agent, a third one may delete it before it is locked.
    await insertAgent(trx, agent)
  }
}

/** Stores a build, or changes a registered one; returns what has changed. */
async function storeBuild(
  { limits }: CatalogContext,
  trx: Kysely<CatalogSchema>,
  agent: LockedAgent,
  { buildId, readme }: RegisterBuildRequest,
  content: BuildContent,
): Promise<'nothing' | 'new' | 'published' | 'unpublished'> {
  const build = await findBuild(trx, { agentId: agent.id, buildId })
  if (build === undefined) {
    await insertBuild(trx, { agent, buildId, content, readme: readme ?? '' })
    await removeOldBuilds(trx, agent, limits.unpublishedBuilds)
    return 'new'
  }
  const place = { agentId: agent.id, ordinal: build.ordinal }
  const stored = await readBuildContent(trx, place)
  const newReadme = readme ?? stored.readme
  const hasSameSpec = stored.registry === content.registry && stored.spec_yaml === content.spec_yaml
  const digests =
    hasSameSpec && content.image_digests_json === '{}'
      ? stored.image_digests_json
      : content.image_digests_json
  const hasSameContent = hasSameSpec && digests === stored.image_digests_json
  if (hasSameContent && newReadme === stored.readme) return 'nothing'
  if (hasSameContent) {
    await replaceReadme(trx, { ...place, readme: newReadme })
  } else {
    if (build.version !== null) {
      throw new FailedPrecondition(
        'build_published',
        'the spec, registry and image digests of a published build cannot change; ' +
          'register a new build',
      )
    }
    const newContent = { ...content, image_digests_json: digests }
    await replaceBuild(trx, { ...place, content: newContent, readme: newReadme })
  }
  return build.version === null ? 'unpublished' : 'published'
}
