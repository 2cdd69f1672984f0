import type { V1ContainerStateTerminated, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

import { TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import type { PodFacts } from '../domain/rollout.ts'
import { pullProblem } from './pull-problem.ts'

/** Waiting reasons of containers that mean failure. */
const STUCK_REASONS: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
])
/** Waiting reasons that mean failure if they last: a busy kubelet also reports them briefly. */
const SOON_STUCK_REASONS: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'ImageInspectError',
  'RunContainerError',
])
const SOON_MS = 30_000
/** The message of a busy kubelet that hasn't read a config map or Secret yet. */
const NOT_READ_YET = /^failed to sync (configmap|secret) cache/
/** Waiting reasons of any container that is starting. */
const ORDINARY_REASONS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing'])
/** A container that isn't ready after this many restarts is in a crash loop, even while it runs. */
const LOOP_RESTARTS = 2
const MAX_REASON_LENGTH = 500

/** Returns the state of a pod. */
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

// A container's own termination message isn't shown, because it may contain secrets.
function explainContainer(
  { state, lastState, restartCount, ready, image }: V1ContainerStatus,
  soon: number,
): Explanation | undefined {
  const ended = state?.terminated ?? lastState?.terminated
  const { reason = '', message } = state?.waiting ?? {}
  if (reason === 'CrashLoopBackOff') {
    return { reason: joined(reason, ended ? exitMessage(ended) : message), stuckFrom: 0 }
  }
  if (reason !== '' && !ORDINARY_REASONS.has(reason)) {
    const isSoonStuck = SOON_STUCK_REASONS.has(reason) && !NOT_READ_YET.test(message ?? '')
    const stuckFrom = STUCK_REASONS.has(reason) ? 0 : isSoonStuck ? soon : PASSING.stuckFrom
    const shown = pullProblem(reason, message ?? '', image) ?? message
    return { reason: joined(reason, shown), stuckFrom }
  }
  if (ready || ended === undefined || ended.exitCode === 0) return undefined
  const isLoop = restartCount >= LOOP_RESTARTS
  return {
    reason: joined(isLoop ? 'CrashLoopBackOff' : 'Error', exitMessage(ended)),
    stuckFrom: isLoop ? 0 : PASSING.stuckFrom,
  }
}

function exitMessage({ exitCode, reason }: V1ContainerStateTerminated): string {
  const why = reason === undefined || reason === 'Error' ? '' : ` (${reason})`
  return `the container exited with code ${exitCode}${why}`
}

function joined(reason: string | undefined, message: string | undefined): string {
  return [reason, message].filter(Boolean).join(': ')
}
