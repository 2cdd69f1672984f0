import { templateImages, unpinnedImage, type DeploymentTemplate } from '@slipway/agent-spec'
import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { FailedPrecondition, InvalidInput, NotFound } from '@slipway/shared/errors'
import { callAsService, toDomainError, type RequestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import type { RevisionRow } from '../db/revisions.ts'

const CATALOG_TIMEOUT_MS = 5_000

/** The build id that means the build of the live revision. */
export const CURRENT = 'current'

/** The agent and the build to deploy. */
export interface BuildTarget {
  readonly accountId: string
  /** Name of the account. */
  readonly account: string
  readonly agent: string
  /** Empty for the account's own agent. */
  readonly sourceAccount: string
  /** The id of a build, or `current`; empty if the request names none. */
  readonly buildId: string
  /** Empty if the request names none. */
  readonly version: string
}

/** The build to deploy. */
export interface DeployedBuild {
  /** Id of the agent; empty if the catalog doesn't return it yet. */
  readonly agentId: string
  readonly buildId: string
  readonly version: string | undefined
  readonly registry: string
  readonly specContent: string
  /** Digests by image, as registered, or as they run. */
  readonly imageDigests: Readonly<Record<string, string>>
  readonly account: string
  readonly sourceAccountId: string
  readonly sourceAccount: string
  readonly buildChoice: BuildChoice
  /** What the caller should know about the build, as `field: reason`. */
  readonly warnings: readonly string[]
}

/** Asks the catalog for the build. Throws its errors. */
export async function resolveBuild(
  context: DeployerContext,
  { accountId, sourceAccount, agent, buildId, version }: BuildTarget,
  origin: RequestOrigin,
): Promise<DeployedBuild> {
  const options = await callAsService(context.serviceToken, CATALOG_TIMEOUT_MS, origin)
  const found = await context.agents
    .resolveBuild({ accountId, sourceAccount, name: agent, buildId, version }, options)
    .catch((error: unknown) => {
      throw toDomainError(error)
    })
  return {
    agentId: found.agentId,
    buildId: found.buildId,
    version: found.version,
    registry: found.registry,
    specContent: found.specContent,
    imageDigests: found.imageDigests,
    account: found.account,
    sourceAccountId: found.sourceAccountId,
    sourceAccount: found.sourceAccount,
    buildChoice: found.choice,
    warnings: found.yanked ? [`version: ${found.version ?? ''} is yanked`] : [],
  }
}

/**
 * Returns the build that runs, with the digests of its images. The catalog isn't asked: the build
 * may have been replaced or deleted there. Throws NotFound `deployment_not_found` if nothing runs.
 */
export function currentBuild(
  target: BuildTarget,
  live: DeploymentRow | undefined,
  revision: RevisionRow | undefined,
): DeployedBuild {
  if (live === undefined || revision === undefined || live.state === 'undeploying') {
    throw new NotFound(
      'deployment_not_found',
      `agent ${target.agent} is not deployed, so it has no current build; leave out build_id`,
    )
  }
  const sourceAccount = live.source_account === '' ? target.account : live.source_account
  if (target.sourceAccount !== '' && target.sourceAccount !== sourceAccount) {
    throw new FailedPrecondition(
      'deployed_from_other_source',
      `the current build of ${target.agent} is of ${sourceAccount}; leave out source_account`,
    )
  }
  const version = revision.version ?? undefined
  if (target.version !== '' && target.version !== version) {
    const published = version === undefined ? 'not published' : `published as ${version}`
    const description = `the current build, ${revision.build_id}, was ${published} when deployed`
    throw new InvalidInput('version_mismatch', description, {
      violations: [{ field: 'version', description }],
    })
  }
  return {
    agentId: live.agent_id ?? '',
    buildId: revision.build_id,
    version,
    registry: revision.registry,
    specContent: revision.spec_content,
    imageDigests: digestsOf(revision.template as DeploymentTemplate),
    account: target.account,
    sourceAccountId: live.source_account_id,
    sourceAccount,
    buildChoice: BuildChoice.CURRENT,
    warnings: [],
  }
}

/** The digests of a template's images, by their reference without it. */
function digestsOf(template: DeploymentTemplate): Record<string, string> {
  return Object.fromEntries(
    templateImages(template).flatMap(({ image }) => {
      const name = unpinnedImage(image)
      return name === image ? [] : [[name, image.slice(name.length + 1)]]
    }),
  )
}
