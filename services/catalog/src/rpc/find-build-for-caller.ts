import type { HandlerContext } from '@connectrpc/connect'
import { requireUser } from '@slipway/shared/rpc'

import { findDeployableBuild } from '../db/resolve.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { isAgentName, isBuildId } from '../domain/check-build.ts'
import { accountNotFound, agentNotFound, buildNotFound, noBuilds } from '../domain/missing.ts'
import { parseImageDigests } from './mapping.ts'

/** A build that the caller may deploy. */
export interface CallersBuild {
  readonly accountId: string
  readonly account: string
  readonly isMember: boolean
  readonly buildId: string
  readonly registry: string
  readonly specJson: string
  /** As registered, by image. */
  readonly imageDigests: Readonly<Record<string, string>>
}

/**
 * Finds the build with `buildId`, or without it the latest build for members and the latest
 * published one for others. Throws NotFound for an account, agent or build that doesn't exist or
 * that the caller may not see.
 */
export async function findBuildForCaller(
  { db }: CatalogContext,
  call: HandlerContext,
  { account, name, buildId = '' }: { account: string; name: string; buildId?: string },
): Promise<CallersBuild> {
  const { realm, subject } = requireUser(call)
  const isNamed = buildId !== ''
  const found = isAccountName(account)
    ? await findDeployableBuild(db, {
        account,
        // Invalid names are looked up as empty strings, so that the first missing resource is
        // reported.
        name: isAgentName(name) ? name : '',
        buildId: isNamed ? (isBuildId(buildId) ? buildId : '') : undefined,
        viewer: { identity: { realm, subject } },
        spec: 'json',
      })
    : undefined
  if (found === undefined) throw accountNotFound()
  if (found.agent_id === null) throw agentNotFound()
  if (found.build_id === null) throw isNamed ? buildNotFound() : noBuilds()
  return {
    accountId: found.account_id,
    account: found.account,
    isMember: found.role !== null,
    buildId: found.build_id,
    registry: found.registry,
    specJson: found.spec,
    imageDigests: parseImageDigests(found.image_digests_json),
  }
}
