import { unknownCredentials } from '@slipway/agent-spec'
import { Conflict } from '@slipway/shared/errors'

import { executeAttempt } from '../apply/attempt.ts'
import { finishUndeploy } from '../apply/finish-undeploy.ts'
import type { Intent, RevisionContent } from '../apply/intent.ts'
import type { DeployerContext } from '../context.ts'
import { readSecretsIfAllowed, type SecretContents } from '../credentials/read-secrets.ts'
import type { NewDeployment } from '../db/attempts.ts'
import { inspectNamespace, waitForTermination } from '../kubernetes/namespace.ts'
import { composeNext, storedSecretsOf } from '../plan/compose-next.ts'
import { pinImages } from '../plan/pin-images.ts'
import { prepareDeploy, type PreparedDeploy, type RequestedDeploy } from '../plan/prepare-deploy.ts'
import type { ComposedRevision } from '../plan/render-revision.ts'
import { readStoredSecrets } from '../plan/stored-secrets.ts'
import { authorOf, type Actor } from './actor.ts'
import { deployed, type Deployed } from './deployed.ts'
import { withDeploymentLock } from './lock.ts'

/** Deploys the build selected by `target`. Doesn't wait for the rollout. */
export async function deployAgent(
  context: DeployerContext,
  target: RequestedDeploy,
  actor: Actor,
): Promise<Deployed> {
  return await withDeploymentLock(context, target, actor, async (lockSignal) => {
    let prepared = await prepareDeploy(context, target, actor.origin)
    if (prepared.live?.state === 'undeploying') {
      // An accepted undeploy is finished first, even if another process started it.
      await finishUndeploy(context, prepared.live)
      prepared = await prepareDeploy(context, target, actor.origin)
    }
    const [contents, pinned] = await Promise.all([
      readyCluster(context, prepared, actor.signal),
      pinImages(context, prepared, actor),
    ])
    prepared = pinned.prepared
    const composed = composeNext(context, prepared, contents)
    const isNew = composed.revision !== prepared.live?.live_revision
    const intent: Intent = {
      composed,
      origin: actor.origin,
      deployedBy: actor.userId,
      agentId: prepared.build.agentId,
      subject: subjectOf(prepared, composed),
      newDeployment: prepared.live ? undefined : newDeployment(prepared, composed, actor.userId),
      newRevision: isNew ? contentOf(prepared, actor) : undefined,
      event: isNew ? { kind: 'requested' } : undefined,
    }
    const result = await executeAttempt(context, intent, lockSignal)
    const { version, buildChoice, warnings } = prepared.build
    return deployed(intent, result, {
      ...(version !== undefined && { version }),
      buildChoice,
      warnings: [...warnings, ...unknownCredentials(prepared.filled), ...pinned.warnings],
    })
  })
}

/**
 * Waits until a former namespace is deleted, then returns the deployment's Secrets in the cluster.
 * Throws Conflict when the namespace belongs to something else, or isn't deleted in time.
 */
async function readyCluster(
  context: DeployerContext,
  prepared: PreparedDeploy,
  signal: AbortSignal,
): Promise<SecretContents> {
  const { kubernetes, config } = context
  const { live, namespace } = prepared
  const { release } = config.cluster
  const [state, contents] = await Promise.all([
    inspectNamespace(kubernetes, namespace, { release, deploymentId: live?.id }, signal),
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
        `the namespace ${namespace} already exists and does not belong to this deployment`,
      )
  }
}

function subjectOf(
  { target, build }: PreparedDeploy,
  { identity, revision }: ComposedRevision,
): Intent['subject'] {
  return {
    deploymentId: identity.deploymentId,
    accountId: target.accountId,
    agent: target.agent,
    sourceAccountId: build.sourceAccountId,
    buildId: build.buildId,
    revision,
    k8sNamespace: identity.namespace,
  }
}

function newDeployment(
  { target, build, namespace }: PreparedDeploy,
  { identity: { deploymentId } }: ComposedRevision,
  userId: string,
): NewDeployment {
  return {
    id: deploymentId,
    account_id: target.accountId,
    agent: target.agent,
    source_account_id: build.sourceAccountId,
    source_account: target.sourceAccount,
    agent_id: build.agentId || null,
    k8s_namespace: namespace,
    deployed_by: userId,
  }
}

function contentOf({ target, build, filled }: PreparedDeploy, actor: Actor): RevisionContent {
  return {
    version: build.version ?? null,
    registry: build.registry,
    spec_content: build.specContent,
    account: build.account,
    source_account: build.sourceAccountId === target.accountId ? '' : build.sourceAccount,
    template: JSON.stringify(filled.template),
    selection: JSON.stringify(filled.values),
    ...authorOf(actor),
  }
}
