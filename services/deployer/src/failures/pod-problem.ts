import type { V1Container, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

import type { ClusterEvent } from '../domain/component-failure.ts'
import { containerStatuses } from '../kubernetes/pod-status.ts'
import { stoppingCheck, type CheckStop } from './check-stop.ts'
import { containerOf, containerProblem } from './container-problem.ts'
import { failedCheck, probeWords, waitingForCheck } from './probe-words.ts'
import { awaitsVolume, creationWords, otherWords, schedulingWords, type Words } from './words.ts'

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

/** A container that has run for this long should have passed its check. */
const CHECK_MS = 30_000

/** The cluster creates a volume within this time. */
const VOLUME_MS = 60_000

/** What the cluster recorded about a pod. */
export interface PodRecords {
  /** The newest event that explains why it isn't ready. */
  readonly event: ClusterEvent | undefined
  readonly stops: readonly CheckStop[]
}

/** Explains why a pod is not ready; undefined if it is ready, or still starting. */
export function podProblem(pod: V1Pod, records: PodRecords, now: number): PodProblem | undefined {
  const { metadata, spec, status } = pod
  const { event } = records
  const statuses = containerStatuses(status)
  for (const each of statuses) {
    const container = { podUid: metadata?.uid ?? '', spec: containerOf(spec, each.name) }
    const problem = problemOf(each, container, records, now)
    if (problem !== undefined) return problem
  }
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  )
  if (unscheduled !== undefined) {
    const { message = '', lastTransitionTime = new Date(now) } = unscheduled
    const isNew = now < new Date(lastTransitionTime).getTime() + VOLUME_MS
    if (awaitsVolume(message) && isNew) return undefined
    const words = schedulingWords(message)
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
  const words = (EVENT_WORDS[reason] ?? otherWords)(message)
  return { reason, ...words, container: undefined }
}

const EVENT_WORDS: Readonly<Record<string, (message: string) => Words>> = {
  FailedCreate: creationWords,
  FailedScheduling: schedulingWords,
}

/** An event of a pod, unless it is about the search for a node that has been found meanwhile. */
export function currentEvent(
  event: ClusterEvent | undefined,
  { status }: V1Pod,
): ClusterEvent | undefined {
  const isScheduled = status?.conditions?.some(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'True',
  )
  return event?.reason === 'FailedScheduling' && isScheduled === true ? undefined : event
}

function problemOf(
  status: V1ContainerStatus,
  { podUid, spec }: { readonly podUid: string; readonly spec: V1Container | undefined },
  { event, stops }: PodRecords,
  now: number,
): PodProblem | undefined {
  const { name, state, lastState, restartCount, ready } = status
  const problem = containerProblem(status, spec)
  const check = event?.reason === 'Unhealthy' ? probeWords(event.message, spec) : undefined
  const container = {
    spec,
    status,
    exitCode: problem?.exitCode ?? lastState?.terminated?.exitCode,
    isPreviousLog: restartCount > 0 && state?.terminated === undefined,
  }
  const ofThisRun = { ...container, isPreviousLog: false }
  if (problem !== undefined) {
    const ended = state?.terminated ?? lastState?.terminated
    const stop =
      ended === undefined || problem.exitCode === undefined || problem.reason === 'OOMKilled'
        ? undefined
        : stoppingCheck({ podUid, container: name, spec, ended, failed: check?.kind }, stops)
    if (stop === undefined) {
      const { reason, message, original } = problem
      return { reason, message, original, container }
    }
    const { message, original } = check?.kind === stop ? check : failedCheck(stop, spec)
    const said = `${message}, so the container was restarted`
    return { reason: 'Unhealthy', message: said, original, container }
  }
  if (check !== undefined && !ready && state?.running !== undefined) {
    const { message, original } = check
    return { reason: 'Unhealthy', message, original, container: ofThisRun }
  }
  const waiting = waitingForCheck(status, spec)
  const startedAt = new Date(state?.running?.startedAt ?? now).getTime()
  if (waiting === '' || now < startedAt + CHECK_MS) return undefined
  return { reason: 'NotReady', message: waiting, original: '', container: ofThisRun }
}
