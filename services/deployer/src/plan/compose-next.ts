import type { DeployerContext } from '../context.ts'
import { readCredentials, secretSizeProblems } from '../credentials/credential-values.ts'
import type { SecretContents } from '../credentials/read-secrets.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import type { Identity } from '../manifests/identity.ts'
import { planRevision } from './plan-revision.ts'
import type { PreparedDeploy } from './prepare-deploy.ts'
import { renderRevision, type ComposedRevision } from './render-revision.ts'
import type { StoredSecretsQuery } from './stored-secrets.ts'
import { ValidationFailed } from './validation-failed.ts'

/** The stored Secrets that a deploy needs. */
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

/**
 * Composes the next revision, or the live one again if nothing changes. Throws FailedPrecondition
 * `credentials_lost` when a kept credential has no value in `contents`, and InvalidInput when a
 * Secret would be too large.
 */
export function composeNext(
  context: DeployerContext,
  prepared: PreparedDeploy,
  contents: SecretContents,
): ComposedRevision {
  const { filled, live, liveRevision, footprint } = prepared
  const kept = liveRevision
    ? readCredentials(filled.keptCredentialKeys, liveRevision.secrets, contents, 'credentials_lost')
    : {}
  const planned = planRevision(context, {
    identity: identityIn(prepared, live?.id ?? context.randomId()),
    template: filled.template,
    credentials: { ...kept, ...filled.givenCredentials },
    contents,
    former: liveRevision?.secrets,
    footprint,
    telemetrySecret: live?.telemetry_secret ?? null,
    suspended: live?.suspended_ingestions ?? [],
  })
  if (live && liveRevision?.fingerprint.equals(planned.fingerprint))
    return renderRevision(context, planned, liveRevision.revision)
  // prepareDeploy can't check this: only the cluster has the values of kept credentials.
  const problems = secretSizeProblems(planned.secrets)
  if (problems.length > 0) throw new ValidationFailed(problems)
  return renderRevision(context, planned, (live?.last_revision ?? 0) + 1)
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
