import { Conflict } from '@slipway/shared/errors'
import type { RequestOrigin } from '@slipway/shared/rpc'

import { executeAttempt } from '../apply/attempt.ts'
import type { Intent, RevisionContent } from '../apply/types.ts'
import type { DeployerContext } from '../context.ts'
import { readCredentials, secretSizeProblems } from '../credentials/credential-values.ts'
import { readSecretsIfAllowed, type SecretContents } from '../credentials/secrets.ts'
import type { DeploymentRow, NewDeployment } from '../db/deployments.ts'
import type { ResourceResult } from '../domain/states.ts'
import { inspectNamespace, waitForTermination } from '../kubernetes/namespace.ts'
import type { Identity } from '../manifests/identity.ts'
import type { Endpoint } from '../manifests/render.ts'
import { composeDeployment, type ComposedDeployment } from '../plan/compose.ts'
import {
  prepareDeploy,
  validationFailed,
  type DeployTarget,
  type PreparedDeploy,
} from '../plan/prepare.ts'
import { readStoredSecrets, type StoredSecretsQuery } from '../plan/stored-secrets.ts'
import { withDeploymentLock } from './lock.ts'
import { finishUndeploy } from './undeploy.ts'

/** Who deploys, and by which request. */
export interface DeployActor {
  readonly userId: string
  readonly origin: RequestOrigin
  /** Ends the waiting for others; a deploy whose intent is stored goes on. */
  readonly signal: AbortSignal
}

/** What a deploy did. */
export interface DeployResult {
  readonly deploymentId: string
  readonly agent: string
  readonly buildId: string
  readonly namespace: string
  readonly revision: number
  readonly results: readonly ResourceResult[]
  readonly errors: readonly string[]
  readonly endpoints: readonly Endpoint[]
  /** When the deploy was accepted. */
  readonly deployTime: Date
}

/** Deploys the build that `target` names: the whole of a deploy but the waiting for its rollout. */
export async function deploy(
  context: DeployerContext,
  target: DeployTarget,
  actor: DeployActor,
): Promise<DeployResult> {
  return await withDeploymentLock(context, target, actor.signal, async (lockSignal) => {
    let prepared = await prepareDeploy(context, target, actor.origin)
    if (prepared.live?.state === 'undeploying') {
      // An undeploy that was accepted comes first, whoever finishes it.
      await finishUndeploy(context, prepared.live)
      prepared = await prepareDeploy(context, target, actor.origin)
    }
    const contents = await readyCluster(context, prepared, actor.signal)
    const { composed, revision, isNew } = composeNext(context, prepared, contents)
    const intent: Intent = {
      composed,
      origin: actor.origin,
      deployedBy: actor.userId,
      subject: subjectOf(prepared, composed.identity, revision),
      newRevision: isNew ? contentOf(prepared, actor) : undefined,
      event: isNew ? { kind: 'requested' } : undefined,
    }
    const creation = prepared.live
      ? undefined
      : deploymentRow(prepared, composed.identity, actor.userId)
    const { time, results, errors, endpoints } = await executeAttempt(
      context,
      intent,
      lockSignal,
      creation,
    )
    return {
      deploymentId: composed.identity.deploymentId,
      agent: target.agent,
      buildId: prepared.build.buildId,
      namespace: prepared.namespace,
      revision,
      results,
      errors,
      endpoints,
      deployTime: time,
    }
  })
}

/**
 * Waits for a former namespace to go, and gives the Secrets that the cluster has of the deployment.
 */
async function readyCluster(
  context: DeployerContext,
  prepared: PreparedDeploy,
  signal: AbortSignal,
): Promise<SecretContents> {
  const { kubernetes, config } = context
  const { live, namespace } = prepared
  const [state, contents] = await Promise.all([
    inspectNamespace(kubernetes, namespace, live?.id, signal),
    live ? readSecretsIfAllowed(kubernetes, namespace, live.id, signal) : undefined,
  ])
  switch (state) {
    case 'ours':
      return live
        ? await readStoredSecrets(context, storedSecretsOf(prepared, live, signal), contents)
        : new Map()
    case 'absent':
      return new Map()
    case 'terminating':
      await waitForTermination(kubernetes, namespace, config.limits.terminatingWaitMs, signal)
      return new Map()
    case 'foreign':
      throw new Conflict(
        'namespace_taken',
        'the namespace of this deployment is used by something else',
      )
  }
}

/** Which Secrets a deploy needs of those that the cluster has. */
export function storedSecretsOf(
  prepared: PreparedDeploy,
  deployment: DeploymentRow,
  signal: AbortSignal,
): StoredSecretsQuery {
  return {
    deployment,
    revision: prepared.liveRevision,
    template: prepared.filled.template,
    identity: identityIn(prepared, deployment.id),
    reason: 'credentials_lost',
    signal,
  }
}

/** Composes the next revision; the live one again when nothing changes. */
export function composeNext(
  context: DeployerContext,
  prepared: PreparedDeploy,
  contents: SecretContents,
): { composed: ComposedDeployment; revision: number; isNew: boolean } {
  const { filled, live, liveRevision } = prepared
  const kept = liveRevision
    ? readCredentials(filled.keptCredentialKeys, liveRevision.secrets, contents, 'credentials_lost')
    : {}
  const input = {
    identity: identityIn(prepared, live?.id ?? context.randomId()),
    template: filled.template,
    credentials: { ...kept, ...filled.givenCredentials },
    contents,
    former: liveRevision?.secrets,
    telemetrySecret: live?.telemetry_secret ?? null,
  }
  if (live && liveRevision) {
    const composed = composeDeployment(context, { ...input, revision: liveRevision.revision })
    if (composed.fingerprint.equals(liveRevision.fingerprint)) {
      return { composed, revision: liveRevision.revision, isNew: false }
    }
  }
  const revision = (live?.last_revision ?? 0) + 1
  const composed = composeDeployment(context, { ...input, revision })
  // How large the values are that are kept, only the cluster knows.
  const problems = secretSizeProblems(composed.secrets)
  if (problems.length > 0) throw validationFailed(problems)
  return { composed, revision, isNew: true }
}

function identityIn({ target, build, namespace }: PreparedDeploy, deploymentId: string): Identity {
  return {
    deploymentId,
    accountId: target.accountId,
    agent: target.agent,
    buildId: build.buildId,
    namespace,
  }
}

function subjectOf(
  { target, build }: PreparedDeploy,
  identity: Identity,
  revision: number,
): Intent['subject'] {
  return {
    deploymentId: identity.deploymentId,
    accountId: target.accountId,
    agent: target.agent,
    sourceAccountId: build.sourceAccountId,
    buildId: build.buildId,
    revision,
    namespace: identity.namespace,
  }
}

function deploymentRow(
  { target, build, namespace }: PreparedDeploy,
  { deploymentId }: Identity,
  userId: string,
): NewDeployment {
  return {
    id: deploymentId,
    account_id: target.accountId,
    agent: target.agent,
    source_account_id: build.sourceAccountId,
    source_account: target.sourceAccount,
    k8s_namespace: namespace,
    deployed_by: userId,
  }
}

function contentOf(
  { target, build, filled }: PreparedDeploy,
  { userId }: DeployActor,
): RevisionContent {
  return {
    version: build.version ?? null,
    registry: build.registry,
    spec_content: build.specContent,
    account: build.account,
    source_account: build.sourceAccountId === target.accountId ? '' : build.sourceAccount,
    template: JSON.stringify(filled.template),
    selection: JSON.stringify(filled.values),
    created_by: userId,
  }
}
