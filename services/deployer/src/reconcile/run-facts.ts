import type { V1Job, V1Pod } from '@kubernetes/client-node'

import type { RunJob, RunPod, RunTrigger } from '../domain/ingestion-run.ts'
import {
  COMPONENT_LABEL,
  MANUAL_TRIGGER,
  TEMPLATE_HASH_LABEL,
  TRIGGER_LABEL,
} from '../domain/labels.ts'
import type { PodFacts } from '../domain/rollout.ts'

/** The scheduler finds room for most pods at once, and for others when something ends. */
export const UNSCHEDULABLE_MS = 10_000

/** A pod of a run, with the Job that it belongs to. */
export type ObservedRunPod = Omit<RunPod, 'name' | 'reason' | 'isStuck'> & {
  readonly jobUid: string
  /** Whether no node has room for it. */
  readonly isUnschedulable: boolean
}

/** Returns the run that a Job is. */
export function runJob({ metadata, spec, status }: V1Job): RunJob {
  const ended = status?.conditions?.find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  )
  return {
    uid: metadata?.uid ?? '',
    name: metadata?.name ?? '',
    component: metadata?.labels?.[COMPONENT_LABEL] ?? '',
    trigger: triggerOf(metadata),
    createdAt: timeOf(metadata?.creationTimestamp) ?? 0,
    endedAt: ended && (timeOf(status?.completionTime) ?? timeOf(ended.lastTransitionTime)),
    outcome: ended === undefined ? 'open' : ended.type === 'Complete' ? 'succeeded' : 'failed',
    failure: ended?.type === 'Failed' ? (ended.reason ?? '') : '',
    attempts: (status?.failed ?? 0) + (status?.succeeded ?? 0) + (status?.active ?? 0),
    templateHash: spec?.template.metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

/** Returns what a pod says about the run that it belongs to; undefined for other pods. */
export function runPod({ metadata, status }: V1Pod): ObservedRunPod | undefined {
  const owner = metadata?.ownerReferences?.find(({ kind }) => kind === 'Job')
  if (owner === undefined) return undefined
  const { state, lastState } = status?.containerStatuses?.[0] ?? {}
  const ended = state?.terminated ?? lastState?.terminated
  return {
    jobUid: owner.uid,
    createdAt: timeOf(metadata?.creationTimestamp) ?? 0,
    startedAt: timeOf(state?.running?.startedAt ?? ended?.startedAt),
    exit: ended && { code: ended.exitCode, reason: ended.reason ?? '' },
    isUnschedulable:
      status?.conditions?.some(
        ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
      ) ?? false,
  }
}

/** Combines what is known about a pod of a run. */
export function toRunPod(
  { name, reason, stuckFrom }: PodFacts,
  { createdAt, startedAt, exit, isUnschedulable }: ObservedRunPod,
  now: number,
): RunPod {
  const waitsInVain = isUnschedulable && createdAt + UNSCHEDULABLE_MS <= now
  return { name, createdAt, startedAt, exit, reason, isStuck: stuckFrom <= now || waitsInVain }
}

function triggerOf(metadata: V1Job['metadata']): RunTrigger {
  if (metadata?.labels?.[TRIGGER_LABEL] === MANUAL_TRIGGER) return 'manual'
  return metadata?.ownerReferences?.some(({ kind }) => kind === 'CronJob') ? 'schedule' : 'startup'
}

/** The API server's times are texts in JSON, whatever the library's types say. */
function timeOf(time: Date | string | undefined): number | undefined {
  return time === undefined ? undefined : new Date(time).getTime()
}
