import type { V1Container, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

import type { ClusterEvent } from '../domain/component-failure.ts'
import { containerStatuses } from '../kubernetes/pod-status.ts'
import { containerOf, containerProblem } from './container-problem.ts'
import { probeWords, waitingForCheck } from './probe-words.ts'
import { creationWords, otherWords, schedulingWords, type Words } from './words.ts'

/** Why a pod isn't ready. */
export interface PodProblem extends Words {
  /** One word of Kubernetes. */
  readonly reason: string
  /** Undefined if no container has failed. */
  readonly container: FailedContainer | undefined
}

/** The container that a pod isn't ready for. */
export interface FailedContainer {
  readonly spec: V1Container | undefined
  readonly status: V1ContainerStatus
  readonly exitCode: number | undefined
  /** Whether the log that explains the failure is that of the run before the last restart. */
  readonly isPreviousLog: boolean
}

/** Exit codes of a program that Kubernetes stops because a check fails. */
const STOPPED_CODES: ReadonlySet<number> = new Set([0, 137, 143])
/** A container that has run for this long should have passed its check. */
const CHECK_MS = 30_000

/**
 * Explains why a pod is not ready, with the newest event that explains it; undefined if it is
 * ready, or still starting.
 */
export function podProblem(
  pod: V1Pod,
  event: ClusterEvent | undefined,
  now: number,
): PodProblem | undefined {
  const { spec, status } = pod
  const statuses = containerStatuses(status)
  for (const each of statuses) {
    const problem = problemOf(each, containerOf(spec, each.name), event, now)
    if (problem !== undefined) return problem
  }
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  )
  if (unscheduled !== undefined) {
    const words = schedulingWords(unscheduled.message ?? '')
    return { reason: unscheduled.reason ?? 'Unschedulable', ...words, container: undefined }
  }
  if (status?.phase === 'Failed') {
    const words = otherWords(status.message ?? 'the pod has ended')
    return { reason: status.reason ?? 'Failed', ...words, container: undefined }
  }
  if (event === undefined || event.reason === 'Unhealthy') return undefined
  return isOver(event, statuses) ? undefined : eventProblem(event)
}

/** Whether a container has started since an event, so that what it reports has passed. */
function isOver({ lastTime }: ClusterEvent, statuses: readonly V1ContainerStatus[]): boolean {
  return statuses.some(({ state }) => {
    const startedAt = state?.running?.startedAt
    return startedAt !== undefined && new Date(startedAt) >= lastTime
  })
}

/** Explains why a component has no pod, or a pod that has no state yet, by an event. */
export function eventProblem({ reason, message }: ClusterEvent): PodProblem {
  const words = reason === 'FailedCreate' ? creationWords(message) : otherWords(message)
  return { reason, ...words, container: undefined }
}

function problemOf(
  status: V1ContainerStatus,
  spec: V1Container | undefined,
  event: ClusterEvent | undefined,
  now: number,
): PodProblem | undefined {
  const problem = containerProblem(status, spec)
  const check = event?.reason === 'Unhealthy' ? probeWords(event.message, spec) : undefined
  const container = {
    spec,
    status,
    exitCode: problem?.exitCode ?? status.lastState?.terminated?.exitCode,
    isPreviousLog: status.restartCount > 0 && status.state?.terminated === undefined,
  }
  if (check !== undefined) {
    // A failing startup or liveness check is why Kubernetes has stopped the program.
    const isCause =
      check.kind !== 'Readiness' &&
      problem?.reason !== 'OOMKilled' &&
      STOPPED_CODES.has(problem?.exitCode ?? -1)
    const { message, original } = check
    if (isCause) {
      const said = `${message}, so the container was restarted`
      return { reason: 'Unhealthy', message: said, original, container }
    }
    if (problem === undefined && !status.ready)
      return {
        reason: 'Unhealthy',
        message,
        original,
        container: { ...container, isPreviousLog: false },
      }
  }
  if (problem !== undefined) {
    const { reason, message, original } = problem
    return { reason, message, original, container }
  }
  const waiting = waitingForCheck(status, spec)
  const startedAt = new Date(status.state?.running?.startedAt ?? now).getTime()
  if (waiting === '' || now < startedAt + CHECK_MS) return undefined
  return {
    reason: 'NotReady',
    message: waiting,
    original: '',
    container: { ...container, isPreviousLog: false },
  }
}
