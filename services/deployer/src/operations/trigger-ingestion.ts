import type { DeploymentTemplate } from '@slipway/agent-spec'

import { clusterRefusal } from '../apply/cluster-refusal.ts'
import type { DeployerContext } from '../context.ts'
import { insertRun, type IngestionRunRow } from '../db/ingestion-runs.ts'
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
import { pullCredentialsOf } from '../plan/render-revision.ts'
import { resolveComponents } from '../plan/resolve-components.ts'
import type { LiveIngestion } from './find-ingestion.ts'
import { startRun } from './ingestion-runs.ts'

/**
 * Starts a run of an ingestion of the live revision, which is not a webhook. Throws RateLimited
 * `too_many_ingestions`, Conflict `ingestion_running`, and FailedPrecondition `ingestion_refused`.
 */
export async function startIngestion(
  context: DeployerContext,
  { deployment, revision, name }: LiveIngestion,
  signal: AbortSignal,
): Promise<IngestionRunRow> {
  const template = revision.template as DeploymentTemplate
  const identity = identityOf(deployment, revision)
  // The Job refers to the existing Secret, so placeholders are enough to resolve the variables.
  const placeholders = Object.fromEntries(
    revision.selection.credentialKeys.map((key) => [key, '-']),
  )
  const components = resolveComponents(context, identity, template, placeholders, {})
  const component = components.find(({ kind, entry }) => kind === 'ingestion' && entry === name)
  if (component === undefined) throw new Error(`the template has no component for ${name}`)
  const settings = context.config.workloads.manifests
  const references = referencesOf(
    {
      identity,
      secrets: revision.secrets.roles,
      telemetrySecret: deployment.telemetry_secret ?? undefined,
      pullCredentials: pullCredentialsOf(context, [component]),
      nameKey: context.config.secretNameKey,
    },
    component,
    [],
  )
  const runId = context.randomId().replaceAll('-', '').slice(0, 10).toLowerCase()
  const job = renderTriggeredJob(identity, component, references, settings, runId)
  const next = {
    accountId: deployment.account_id,
    namespace: identity.namespace,
    component: component.name,
    mayOverlap: component.trigger?.type === 'manual',
    amounts: componentsOf(template)[component.name] ?? NO_AMOUNTS,
  }
  return await startRun(context, next, signal, async (lockSignal) => {
    const { metadata } = await createJob(context, job, lockSignal)
    const run: IngestionRunRow = {
      deployment_id: deployment.id,
      job_uid: metadata.uid ?? '',
      component: component.name,
      name: metadata.name,
      trigger: 'manual',
      state: 'pending',
      reason: '',
      revision: revision.revision,
      create_time: new Date(metadata.creationTimestamp ?? Date.now()),
      start_time: null,
      end_time: null,
      exit_code: null,
      attempts: 0,
      pod: '',
    }
    // The state watcher may have stored it already.
    await insertRun(context.db, run)
    return run
  })
}

async function createJob(
  { kubernetes }: DeployerContext,
  job: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  try {
    return await createObject(kubernetes, job, signal)
  } catch (error) {
    if (isBusy(error)) throw clusterUnreachable(error)
    if (!isRefusal(error) && !isKubernetesStatus(error, 404)) throw error
    throw clusterRefusal('ingestion_refused', 'the Job of the ingestion', error)
  }
}
