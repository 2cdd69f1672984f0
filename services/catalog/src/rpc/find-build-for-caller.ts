import type { HandlerContext } from '@connectrpc/connect'
import type { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { requireUser } from '@slipway/shared/rpc'

import type { CatalogContext } from '../context.ts'
import { accountNotFound, agentNotFound } from '../domain/missing.ts'
import { findBuild, requireBuild, type BuildQuery } from './choose-build.ts'
import { parseImageDigests } from './mapping.ts'

/** A build that the caller may deploy. */
export interface CallersBuild {
  readonly accountId: string
  readonly account: string
  readonly isMember: boolean
  readonly buildId: string
  readonly version: string | undefined
  readonly choice: BuildChoice
  readonly registry: string
  readonly specJson: string
  /** As registered, by image. */
  readonly imageDigests: Readonly<Record<string, string>>
}

/**
 * Finds the build that the caller names, or without a name the newest build for members and the
 * latest published one for others. Throws NotFound for an account, agent, build or version that
 * doesn't exist or that the caller may not see, and InvalidInput if build and version differ.
 */
export async function findBuildForCaller(
  context: CatalogContext,
  call: HandlerContext,
  request: Pick<BuildQuery, 'account' | 'name' | 'buildId' | 'version'>,
): Promise<CallersBuild> {
  const { realm, subject } = requireUser(call)
  const viewer = { identity: { realm, subject } }
  const found = await findBuild(context, { ...request, viewer, spec: 'json' })
  if (found === undefined) throw accountNotFound()
  if (found.agent_id === null) throw agentNotFound()
  const build = requireBuild(found, request)
  return {
    accountId: build.account_id,
    account: build.account,
    isMember: found.isInsider,
    buildId: build.build_id,
    version: build.version ?? undefined,
    choice: build.choice,
    registry: build.registry,
    specJson: build.spec,
    imageDigests: parseImageDigests(build.image_digests_json),
  }
}
