import type { V1Container, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

import { TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import type { PodExit, PodFacts } from '../domain/rollout.ts'
import { containerOf, containerProblem, LOOP_RESTARTS } from '../failures/container-problem.ts'
import { missedStart, startDeadline } from '../failures/check-stop.ts'
import { failedCheck, waitingForCheck } from '../failures/probe-words.ts'
import { awaitsVolume, otherWords, schedulingWords } from '../failures/words.ts'
import { containerStatuses, isPodReady } from '../kubernetes/pod-status.ts'

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
const MAX_REASON_LENGTH = 500

/** Returns the state of a pod. */
export function podFacts(pod: V1Pod): PodFacts {
  const { metadata, status } = pod
  const containers = containerStatuses(status)
  const isReady = isPodReady(status)
  const { reason, stuckFrom } = isReady ? PASSING : explain(pod, containers)
  return {
    name: metadata?.name ?? '',
    phase: status?.phase ?? 'Unknown',
    isReady,
    isTerminating: metadata?.deletionTimestamp !== undefined,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastExit: lastExitOf(containers),
    reason: reason.slice(0, MAX_REASON_LENGTH),
    stuckFrom,
    templateHash: metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

/** The message isn't part of it, because the container may have written secrets to it. */
function lastExitOf(containers: readonly V1ContainerStatus[]): PodExit | undefined {
  const exits = containers.flatMap(({ restartCount, lastState }): PodExit[] => {
    const ended = restartCount > 0 ? lastState?.terminated : undefined
    if (ended === undefined) return []
    const { reason = '', exitCode, finishedAt } = ended
    return [{ reason, exitCode, time: finishedAt ? new Date(finishedAt).toISOString() : '' }]
  })
  return exits.sort((a, b) => (a.time < b.time ? -1 : 1)).at(-1)
}

interface Explanation {
  readonly reason: string
  readonly stuckFrom: number
}

const PASSING: Explanation = { reason: '', stuckFrom: Number.POSITIVE_INFINITY }

function explain(
  { metadata, spec, status }: V1Pod,
  containers: readonly V1ContainerStatus[],
): Explanation {
  const soon = new Date(metadata?.creationTimestamp ?? 0).getTime() + SOON_MS
  const notReadySince = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime
  for (const container of containers) {
    const own = containerOf(spec, container.name)
    if (missedStart(container, own, notReadySince)) {
      const check = failedCheck('Startup', own).message
      const reason = joined('Unhealthy', `${check}, so the container was restarted`)
      return { reason, stuckFrom: 0 }
    }
    const found = explainContainer(container, own, soon)
    if (found) return found
  }
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  )
  if (unscheduled) {
    const { message, original } = schedulingWords(unscheduled.message ?? '')
    // Nothing has failed while a volume is created.
    const kind = awaitsVolume(original) ? undefined : unscheduled.reason
    return { ...PASSING, reason: joined(kind, message) }
  }
  if (status?.phase === 'Failed') {
    const { message } = otherWords(status.message ?? '')
    return { ...PASSING, reason: joined(status.reason ?? 'Failed', message) }
  }
  for (const container of containers) {
    const own = containerOf(spec, container.name)
    const check = waitingForCheck(container, own)
    if (check !== '')
      return { reason: joined('NotReady', check), stuckFrom: startDeadline(container, own) }
  }
  return PASSING
}

function explainContainer(
  status: V1ContainerStatus,
  spec: V1Container | undefined,
  soon: number,
): Explanation | undefined {
  const problem = containerProblem(status, spec)
  if (problem === undefined) return undefined
  const reason = joined(problem.reason, problem.message)
  const { reason: waiting = '', message = '' } = status.state?.waiting ?? {}
  const isLoop = problem.exitCode !== undefined && status.restartCount >= LOOP_RESTARTS
  if (isLoop || STUCK_REASONS.has(waiting)) return { reason, stuckFrom: 0 }
  const isSoonStuck = SOON_STUCK_REASONS.has(waiting) && !NOT_READ_YET.test(message)
  return { reason, stuckFrom: isSoonStuck ? soon : PASSING.stuckFrom }
}

function joined(reason: string | undefined, message: string | undefined): string {
  return [reason, message].filter(Boolean).join(': ')
}
