import {
  compareCodePoints,
  fillTemplate,
  namespaceName,
  unknownCredentials,
  validateTemplate,
  type DeploymentTemplate,
  type DeployRequestValues,
  type FilledTemplate,
  type ResolvedComponent,
} from '@slipway/agent-spec'
import { FailedPrecondition } from '@slipway/shared/errors'
import type { RequestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { secretSizeProblems } from '../credentials/credential-values.ts'
import { planSecrets, type PlannedSecret } from '../credentials/plan-secrets.ts'
import { findLiveDeployment, type DeploymentRow } from '../db/deployments.ts'
import { componentsOf, withConfig, type Footprint } from '../domain/footprint.ts'
import { findRevision, type RevisionRow } from '../db/revisions.ts'
import { requireQuota } from './account-quota.ts'
import {
  CURRENT,
  currentBuild,
  resolveBuild,
  type BuildTarget,
  type DeployedBuild,
} from './choose-build.ts'
import { resolveComponents } from './resolve-components.ts'
import { configBytes } from './config-bytes.ts'
import { imageProblems } from './image-problems.ts'
import { shrinkingProblems } from './shrinking.ts'
import { storageClassProblems } from './storage-class-problems.ts'
import { templateOfBuild } from './template-of-build.ts'
import { ValidationFailed } from './validation-failed.ts'

/** The agent to deploy, with the values of the request. */
export interface RequestedDeploy extends BuildTarget {
  readonly values: DeployRequestValues
  /** The id that the account of the agent must have; empty accepts any. */
  readonly sourceAccountId: string
  /** Whether credentials that no component declares are problems. */
  readonly strict: boolean
}

/** A validated deploy; nothing is written yet. */
export interface PreparedDeploy {
  readonly target: RequestedDeploy
  readonly build: DeployedBuild
  readonly filled: FilledTemplate
  readonly namespace: string
  /** The live deployment and its revision; undefined when there is none. */
  readonly live: DeploymentRow | undefined
  readonly liveRevision: RevisionRow | undefined
  /** What the live deployment occupies. */
  readonly footprint: Footprint | undefined
}

/**
 * Finds the build and fills its template. Throws NotFound when there is nothing to deploy,
 * ValidationFailed with all problems, and FailedPrecondition `quota_exceeded`. Needs no cluster,
 * and writes no more than a missing footprint.
 */
export async function prepareDeploy(
  context: DeployerContext,
  target: RequestedDeploy,
  origin: RequestOrigin,
): Promise<PreparedDeploy> {
  const [resolved, live] = await Promise.all([
    target.buildId === CURRENT ? undefined : resolveBuild(context, target, origin),
    findLiveDeployment(context.db, target.accountId, target.agent),
  ])
  const liveRevision =
    typeof live?.live_revision === 'number'
      ? await findRevision(context.db, live.id, live.live_revision)
      : undefined
  const build = resolved ?? currentBuild(target, live, liveRevision)
  requireSource(target, build)
  if (
    live !== undefined &&
    live.state !== 'undeploying' &&
    live.source_account_id !== build.sourceAccountId
  ) {
    throw new FailedPrecondition(
      'deployed_from_other_source',
      `agent ${target.agent} is already deployed from another account; undeploy it first`,
    )
  }
  const namespace =
    live?.k8s_namespace ??
    namespaceName({
      accountId: target.accountId,
      sourceAccountId: build.sourceAccountId,
      agent: target.agent,
    })
  const filled = fill(context, target, build, namespace, liveRevision)
  const place = { namespace, buildId: build.buildId }
  const { components, secrets } = planVariables(context, target, place, filled)
  const tooLarge = secretSizeProblems(secrets)
  if (tooLarge.length > 0) throw new ValidationFailed(tooLarge)
  const footprint = await requireQuota(context, context.db, {
    accountId: target.accountId,
    // An accepted undeploy is finished before the deploy.
    live: live?.state === 'undeploying' ? undefined : live,
    components: withConfig(componentsOf(filled.template), configBytes(components, secrets)),
  })
  return { target, build, namespace, live, liveRevision, footprint, filled }
}

/** The name may have been released, and claimed by an account that the caller doesn't mean. */
function requireSource(
  { sourceAccountId: wanted }: RequestedDeploy,
  { sourceAccount, sourceAccountId }: DeployedBuild,
): void {
  if (wanted === '' || wanted === sourceAccountId) return
  throw new FailedPrecondition(
    'source_account_changed',
    `source_account ${sourceAccount} is the account ${sourceAccountId}, and not the one that ` +
      'source_account_id asks for; check whose agent this is before you give it credentials',
  )
}

/**
 * Plans the deploy's variables and Secrets, using only the values in the request. Kept values are
 * only in the cluster and count as empty.
 */
function planVariables(
  context: DeployerContext,
  { accountId, agent }: RequestedDeploy,
  { namespace, buildId }: { readonly namespace: string; readonly buildId: string },
  { template, givenCredentials, keptCredentialKeys }: FilledTemplate,
): { components: readonly ResolvedComponent[]; secrets: readonly PlannedSecret[] } {
  const identity = { deploymentId: '', accountId, agent, buildId, namespace }
  const credentials = {
    ...Object.fromEntries(keptCredentialKeys.map((key) => [key, ''])),
    ...givenCredentials,
  }
  const components = resolveComponents(context, identity, template, credentials, {})
  const nameKey = context.config.secretNameKey
  const { secrets } = planSecrets(identity, components, credentials, { nameKey })
  return { components, secrets }
}

function fill(
  context: DeployerContext,
  target: RequestedDeploy,
  build: DeployedBuild,
  namespace: string,
  liveRevision: RevisionRow | undefined,
): FilledTemplate {
  const settings = context.config.workloads.template
  const { agent } = target
  const { spec, template } = templateOfBuild(context, build, { agent, namespace })
  const filled = fillTemplate(
    template,
    { ...target.values, ...(liveRevision && { previous: liveRevision.selection }) },
    settings,
  )
  const live = liveRevision?.template as DeploymentTemplate | undefined
  const found = [
    ...validateTemplate(filled, spec, settings),
    ...(target.strict ? unknownCredentials(filled) : []),
    ...imageProblems(filled.template, build.sourceAccountId, context.images),
    ...storageClassProblems(filled.template, context.config.workloads, live),
    // The cluster may have rejected the volumes of a partly rejected revision, so its sizes don't
    // count.
    ...(live && liveRevision?.fully_applied ? shrinkingProblems(filled.template, live) : []),
  ]
  // Two checks may find that an image reference is not valid.
  const problems = [...new Set(found)].sort(compareCodePoints)
  if (problems.length > 0) throw new ValidationFailed(problems)
  return filled
}
