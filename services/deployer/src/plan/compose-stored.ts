import type { DeploymentTemplate } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { readCredentials, type LossReason } from '../credentials/credential-values.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { readFootprint } from '../db/footprints.ts'
import type { RevisionRow } from '../db/revisions.ts'
import type { Identity } from '../manifests/identity.ts'
import { planRevision } from './plan-revision.ts'
import { renderRevision, type ComposedRevision } from './render-revision.ts'
import { readStoredSecrets } from './stored-secrets.ts'

/** Returns the identity of a stored revision's objects. */
export function identityOf(deployment: DeploymentRow, revision: RevisionRow): Identity {
  return {
    deploymentId: deployment.id,
    accountId: deployment.account_id,
    agent: deployment.agent,
    buildId: revision.build_id,
    namespace: deployment.k8s_namespace,
  }
}

/**
 * Composes a stored revision again, as revision `number`, with the values in the cluster's Secrets.
 * Throws FailedPrecondition with `reason` when values are missing.
 */
export async function composeStored(
  context: DeployerContext,
  { deployment, revision }: { readonly deployment: DeploymentRow; readonly revision: RevisionRow },
  {
    number,
    reason,
    signal,
  }: { readonly number: number; readonly reason: LossReason; readonly signal?: AbortSignal },
): Promise<ComposedRevision> {
  const identity = identityOf(deployment, revision)
  const template = revision.template as DeploymentTemplate
  const query = { deployment, revision, template, identity, reason, ...(signal && { signal }) }
  const contents = await readStoredSecrets(context, query)
  const planned = planRevision(context, {
    identity,
    template,
    credentials: readCredentials(
      revision.selection.credentialKeys,
      revision.secrets,
      contents,
      reason,
    ),
    contents,
    former: revision.secrets,
    footprint: await readFootprint(context.db, deployment),
    telemetrySecret: deployment.telemetry_secret,
    suspended: deployment.suspended_ingestions,
  })
  return renderRevision(context, planned, number)
}
