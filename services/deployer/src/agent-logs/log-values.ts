import type { DeploymentTemplate } from '@slipway/agent-spec'
import type { Database } from '@slipway/shared/db'
import { FailedPrecondition } from '@slipway/shared/errors'

import { readValuesToRedact } from '../credentials/values-to-redact.ts'
import { findDeployment } from '../db/deployments.ts'
import { findRevision } from '../db/revisions.ts'
import type { DeployerSchema } from '../db/tables.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'

/** What the values to redact are read with. */
interface Reading {
  readonly db: Database<DeployerSchema>
  readonly kubernetes: KubernetesClient
}

/**
 * Reads the values to redact from logs of a deployment. Secrets never change and exist before the
 * containers that use them, so the values that are read after a container has started are all that
 * it got. Throws FailedPrecondition `log_unavailable` if they can't be read: no log may be shown.
 */
export async function readLogValues(
  { db, kubernetes }: Reading,
  owner: { readonly namespace: string; readonly deploymentId: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const live = (await findDeployment(db, owner.deploymentId))?.live_revision ?? null
  const revision = live === null ? undefined : await findRevision(db, owner.deploymentId, live)
  const template = revision?.template as DeploymentTemplate | undefined
  const values = await readValuesToRedact(kubernetes, owner, template, signal)
  if (values !== undefined) return values
  throw new FailedPrecondition(
    'log_unavailable',
    'the credentials of the deployment can’t be read, so its log isn’t shown, because it may ' +
      'contain them; the deployment may be ending: read its state',
  )
}
