import { boundedName, NAME_LIMITS, type ResolvedComponent } from '@slipway/agent-spec'

import { nameOf, objectMetadata, stableLabels, type Identity } from './identity.ts'
import { renderJobPodTemplate, type PodReferences } from './pod-template.ts'
import type { ManifestSettings } from './settings.ts'
import type { CronJob, Job, JobSpec } from './types.ts'

const BACKOFF_LIMIT = 3
const TRIGGERED_TTL_SECONDS = 24 * 60 * 60
/** Controllers append to a Job's name to name its pods. */
const JOB_NAME_LIMIT = 57

/** Runs an ingestion by its schedule, never twice at once. */
export function renderCronJob(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: objectMetadata(identity, nameOf(identity, component, NAME_LIMITS.cronJob), component),
    spec: {
      schedule: component.trigger?.schedule ?? '',
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels: stableLabels(identity, component) },
        spec: renderJobSpec(identity, component, references, settings),
      },
    },
  }
}

/**
 * Runs an ingestion once for a revision. Its name holds the revision, so applying it again runs
 * nothing.
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

/** Runs an ingestion now. */
export function renderTriggeredJob(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
  runId: string,
): Job {
  const spec = renderJobSpec(identity, component, references, settings)
  return renderJob(identity, component, runId, {
    ...spec,
    ttlSecondsAfterFinished: TRIGGERED_TTL_SECONDS,
  })
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
    template: renderJobPodTemplate(identity, component, references, settings),
  }
}
