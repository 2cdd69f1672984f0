import { boundedName, NAME_LIMITS, type ResolvedComponent } from '@slipway/agent-spec'

import { MANUAL_TRIGGER, TRIGGER_LABEL } from '../domain/labels.ts'
import { nameOf, objectMetadata, stableLabels, type Identity } from './identity.ts'
import { renderJobPodTemplate, type PodReferences } from './pod-template.ts'
import type { ManifestSettings } from './settings.ts'
import type { CronJob, Job, JobSpec } from './types.ts'

const BACKOFF_LIMIT = 3
const TRIGGERED_TTL_SECONDS = 60 * 60
/** The names of a Job's pods are its name plus a suffix. */
const JOB_NAME_LIMIT = 57

/** The time zone of schedules, which would otherwise be the cluster's. */
export const SCHEDULE_TIME_ZONE = 'UTC'

/** Renders the cron job of a scheduled ingestion. Runs never overlap. */
export function renderCronJob(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
  suspend: boolean,
): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: objectMetadata(identity, nameOf(identity, component, NAME_LIMITS.cronJob), component),
    spec: {
      schedule: component.trigger?.schedule ?? '',
      timeZone: SCHEDULE_TIME_ZONE,
      suspend,
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        metadata: { labels: stableLabels(identity, component) },
        spec: renderJobSpec(identity, component, references, settings),
      },
    },
  }
}

/**
 * Renders the Job of an ingestion that runs once per revision. Its name contains the revision, so
 * applying it again doesn't start another run.
 */
export function renderStartupJob(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
  revision: number,
): Job {
  return renderJob(
    identity,
    component,
    `r${revision}`,
    renderJobSpec(identity, component, references, settings),
  )
}

/** Renders the Job of a run that a member has started. */
export function renderTriggeredJob(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
  runId: string,
): Job {
  const spec = renderJobSpec(identity, component, references, settings)
  const job = renderJob(identity, component, runId, {
    ...spec,
    ttlSecondsAfterFinished: TRIGGERED_TTL_SECONDS,
  })
  const labels = { ...job.metadata.labels, [TRIGGER_LABEL]: MANUAL_TRIGGER }
  return { ...job, metadata: { ...job.metadata, labels } }
}

function renderJob(
  identity: Identity,
  component: ResolvedComponent,
  suffix: string,
  spec: JobSpec,
): Job {
  const base = [
    identity.agent,
    component.kind,
    ...(component.entry === undefined ? [] : [component.entry]),
  ]
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: objectMetadata(
      identity,
      `${boundedName(base, JOB_NAME_LIMIT - suffix.length - 1)}-${suffix}`,
      component,
    ),
    spec,
  }
}

function renderJobSpec(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): JobSpec {
  return {
    backoffLimit: BACKOFF_LIMIT,
    activeDeadlineSeconds: settings.ingestionSeconds,
    template: renderJobPodTemplate(identity, component, references, settings),
  }
}
