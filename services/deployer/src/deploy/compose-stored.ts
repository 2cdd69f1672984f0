import type { DeploymentTemplate } from '@slipway/spec'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import type { RevisionRow } from '../db/revisions.ts'
import type { EventSubject } from '../events.ts'
import type { Identity } from '../manifests/identity.ts'
import { composeDeployment, type ComposedDeployment } from './compose.ts'
import { readCredentials, type SecretContents } from './secrets.ts'

/** Whose objects a stored revision's are. */
export function identityOf(deployment: DeploymentRow, revision: RevisionRow): Identity {
  return {
    deploymentId: deployment.id,
    accountId: deployment.account_id,
    agent: deployment.agent,
    buildId: revision.build_id,
    namespace: deployment.k8s_namespace,
  }
}

/** What events tell of a stored revision. */
export function subjectOf(deployment: DeploymentRow, revision: RevisionRow, number = revision.revision): EventSubject {
  return {
    deploymentId: deployment.id,
    accountId: deployment.account_id,
    agent: deployment.agent,
    sourceAccountId: deployment.source_account_id,
    buildId: revision.build_id,
    revision: number,
    namespace: deployment.k8s_namespace,
  }
}

/**
 * Composes a stored revision again, as revision `number`, with the values that its Secrets have; FailedPrecondition with
 * `reason` when they are gone.
 */
export function composeStored(
  services: DeployerContext,
  { deployment, revision }: { readonly deployment: DeploymentRow; readonly revision: RevisionRow },
  contents: SecretContents,
  { number, reason }: { readonly number: number; readonly reason: 'credentials_lost' | 'revision_not_restorable' },
): ComposedDeployment {
  const { credentialKeys } = revision.selection
  return composeDeployment(services, {
    identity: identityOf(deployment, revision),
    revision: number,
    template: revision.template as DeploymentTemplate,
    credentials: readCredentials(credentialKeys, revision.secrets, contents, reason),
    contents,
    telemetrySecret: deployment.telemetry_secret,
  })
}
