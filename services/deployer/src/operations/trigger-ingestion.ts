import type { DeploymentTemplate } from '@slipway/agent-spec'
import { FailedPrecondition, NotFound } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { findRevision } from '../db/revisions.ts'
import { componentsOf, NO_AMOUNTS } from '../domain/footprint.ts'
import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { createObject } from '../kubernetes/create.ts'
import {
  clusterUnreachable,
  isBusy,
  isKubernetesStatus,
  isRefusal,
} from '../kubernetes/kubernetes-error.ts'
import { renderTriggeredJob } from '../manifests/jobs.ts'
import { referencesOf } from '../manifests/render.ts'
import { identityOf } from '../plan/compose-stored.ts'
import { pullCredentialsOf, resolveComponents } from '../plan/compose.ts'
import { startRun } from './ingestion-runs.ts'

/**
 * Starts a Job for a manual ingestion of the live revision. Returns the Job's name. Throws
 * RateLimited `too_many_ingestions`.
 */
export async function startIngestion(
  context: DeployerContext,
  deployment: DeploymentRow,
  ingestion: string,
  signal: AbortSignal,
): Promise<string> {
  const revision =
    deployment.live_revision === null
      ? undefined
      : await findRevision(context.db, deployment.id, deployment.live_revision)
  const template = revision?.template as DeploymentTemplate | undefined
  if (!revision || !template || !Object.hasOwn(template.ingestion, ingestion)) {
    throw new NotFound(
      'ingestion_not_found',
      `the deployment has no ingestion ${JSON.stringify(ingestion)}`,
    )
  }
  const identity = identityOf(deployment, revision)
  // The Job refers to the existing Secret, so placeholders are enough to resolve the variables.
  const placeholders = Object.fromEntries(
    revision.selection.credentialKeys.map((key) => [key, '-']),
  )
  const components = resolveComponents(context, identity, template, placeholders, {})
  const component = components.find(
    ({ kind, entry }) => kind === 'ingestion' && entry === ingestion,
  )
  if (component?.trigger?.type !== 'manual') {
    throw new FailedPrecondition(
      'ingestion_not_manual',
      `the ingestion ${ingestion} does not have a manual trigger`,
    )
  }
  const { roles } = revision.secrets
  const references = referencesOf(
    {
      identity,
      revision: revision.revision,
      components,
      secrets: Object.fromEntries(
        Object.entries(roles).map(([name, { secret }]) => [name, secret]),
      ),
      telemetrySecret: deployment.telemetry_secret ?? undefined,
      pullCredentials: pullCredentialsOf(context, [component]),
      settings: context.config.workloads.manifests,
      nameKey: context.config.secretNameKey,
    },
    component,
    [],
  )
  const runId = context.randomId().replaceAll('-', '').slice(0, 10).toLowerCase()
  const job = renderTriggeredJob(
    identity,
    component,
    references,
    context.config.workloads.manifests,
    runId,
  )
  const run = {
    accountId: deployment.account_id,
    namespace: identity.namespace,
    component: component.name,
    amounts: componentsOf(template)[component.name] ?? NO_AMOUNTS,
  }
  await startRun(context, run, signal, (lockSignal) => createJob(context, job, lockSignal))
  return job.metadata.name
}

async function createJob(
  { kubernetes }: DeployerContext,
  job: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await createObject(kubernetes, job, signal)
  } catch (error) {
    if (isBusy(error)) throw clusterUnreachable(error)
    if (!isRefusal(error) && !isKubernetesStatus(error, 404)) throw error
    const message = 'the cluster rejected the Job of the ingestion'
    throw new FailedPrecondition('ingestion_refused', message, { cause: error })
  }
}
