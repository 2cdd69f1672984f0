import type { V1ContainerStateTerminated, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

import { TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import type { PodFacts } from '../domain/rollout.ts'

/** Why a container waits when waiting doesn't help. */
const STUCK_REASONS: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
])
/**
 * Why a container waits when waiting often helps, but not for long: a busy kubelet says these in
 * passing.
 */
const SOON_STUCK_REASONS: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'ImageInspectError',
  'RunContainerError',
])
const SOON_MS = 30_000
/**
 * What a kubelet that has no time to look says of a config map or Secret; whether that is there it
 * doesn't know yet.
 */
const NOT_LOOKED_YET = /^failed to sync (configmap|secret) cache/
/** Reasons that every container passes through. */
const ORDINARY_REASONS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing'])
/**
 * A container that has ended so often, and isn't up, is in a crash loop, also in the moments when
 * it runs.
 */
const LOOP_RESTARTS = 2
const MAX_REASON_LENGTH = 500

/** What matters of a pod. */
export function podFacts(pod: V1Pod): PodFacts {
  const { metadata, status } = pod
  const containers = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]
  const isReady =
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ??
    false
  const { reason, stuckFrom } = isReady ? PASSING : explain(pod, containers)
  return {
    name: metadata?.name ?? '',
    phase: status?.phase ?? 'Unknown',
    isReady,
    isTerminating: metadata?.deletionTimestamp !== undefined,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    reason: reason.slice(0, MAX_REASON_LENGTH),
    stuckFrom,
    templateHash: metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

interface Explanation {
  readonly reason: string
  readonly stuckFrom: number
}

const PASSING: Explanation = { reason: '', stuckFrom: Number.POSITIVE_INFINITY }

function explain(
  { metadata, status }: V1Pod,
  containers: readonly V1ContainerStatus[],
): Explanation {
  const soon = new Date(metadata?.creationTimestamp ?? 0).getTime() + SOON_MS
  for (const container of containers) {
    const found = explainContainer(container, soon)
    if (found) return found
  }
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  )
  if (unscheduled) return { ...PASSING, reason: joined(unscheduled.reason, unscheduled.message) }
  if (status?.phase === 'Failed')
    return { ...PASSING, reason: joined(status.reason ?? 'Failed', status.message) }
  return PASSING
}

// What a container itself wrote when it ended is not shown: it may hold anything.
function explainContainer(
  { state, lastState, restartCount, ready }: V1ContainerStatus,
  soon: number,
): Explanation | undefined {
  const ended = state?.terminated ?? lastState?.terminated
  const { reason = '', message } = state?.waiting ?? {}
  if (reason === 'CrashLoopBackOff') {
    return { reason: joined(reason, ended ? howEnded(ended) : message), stuckFrom: 0 }
  }
  if (reason !== '' && !ORDINARY_REASONS.has(reason)) {
    const isSoonStuck = SOON_STUCK_REASONS.has(reason) && !NOT_LOOKED_YET.test(message ?? '')
    const stuckFrom = STUCK_REASONS.has(reason) ? 0 : isSoonStuck ? soon : PASSING.stuckFrom
    return { reason: joined(reason, message), stuckFrom }
  }
  if (ready || ended === undefined || ended.exitCode === 0) return undefined
  const isLoop = restartCount >= LOOP_RESTARTS
  return {
    reason: joined(isLoop ? 'CrashLoopBackOff' : 'Error', howEnded(ended)),
    stuckFrom: isLoop ? 0 : PASSING.stuckFrom,
  }
}

function howEnded({ exitCode, reason }: V1ContainerStateTerminated): string {
  const why = reason === undefined || reason === 'Error' ? '' : ` (${reason})`
  return `the container ended with exit code ${exitCode}${why}`
}

function joined(reason: string | undefined, message: string | undefined): string {
  return [reason, message].filter(Boolean).join(': ')
}
