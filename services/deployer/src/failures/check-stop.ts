import type {
  CoreV1Event,
  V1Container,
  V1ContainerStateTerminated,
  V1ContainerStatus,
  V1Probe,
} from '@kubernetes/client-node'

import { probeOf, type ProbeKind } from './probe-words.ts'
import { toClusterEvent } from '../kubernetes/relevant-event.ts'

/** A container that its node has stopped because a check failed. */
export interface CheckStop {
  readonly podUid: string
  readonly container: string
  readonly kind: ProbeKind
  readonly time: Date
}

/** The message of a `Killing` event about a failed check. */
const STOPPED = /^Container (\S+) failed (startup|liveness) probe/
/** Exit codes of a program that Kubernetes stops. A program that handles SIGTERM ends with 0. */
const STOPPED_CODES: ReadonlySet<number> = new Set([0, 137, 143])
/** How much longer a container may run until it is stopped: the time to end, and delays. */
const SLACK_MS = 60_000

/** Returns what `Killing` events say about failed checks. */
export function checkStops(events: readonly CoreV1Event[]): CheckStop[] {
  return events.flatMap((event) => {
    const [, container = '', kind] = STOPPED.exec(event.message ?? '') ?? []
    if (kind === undefined) return []
    const { lastTime: time } = toClusterEvent(event)
    const podUid = event.involvedObject.uid ?? ''
    return [{ podUid, container, kind: kind === 'startup' ? 'Startup' : 'Liveness', time }]
  })
}

/** What is known of the end of a container. */
export interface ContainerEnd {
  readonly podUid: string
  readonly container: string
  readonly spec: V1Container | undefined
  readonly ended: V1ContainerStateTerminated
  /** The check that failed last. */
  readonly failed: ProbeKind | undefined
}

/**
 * Returns the check for which a container was stopped; undefined if it ended by itself. A check
 * that fails proves nothing: those of a program that ends fail as well.
 */
export function stoppingCheck(
  { podUid, container, spec, ended, failed }: ContainerEnd,
  stops: readonly CheckStop[],
): ProbeKind | undefined {
  const { exitCode, startedAt = Number.NaN, finishedAt = Number.NaN } = ended
  const [start, end] = [new Date(startedAt).getTime(), new Date(finishedAt).getTime()]
  const stop = stops.find(
    (each) =>
      each.podUid === podUid &&
      each.container === container &&
      each.time.getTime() > start &&
      each.time.getTime() <= end,
  )
  if (stop !== undefined) return stop.kind
  if (failed === undefined || failed === 'Readiness' || !STOPPED_CODES.has(exitCode))
    return undefined
  // After some hundred failures of a startup check, nodes record no other event of the pod.
  if (failed === 'Startup')
    return lastedUntilStop(end - start, probeOf(spec, failed)) ? failed : undefined
  return exitCode === 0 ? undefined : failed
}

/** When the time for the first start of a container is over; Infinity if it has no such limit. */
export function startDeadline(
  { started, state }: V1ContainerStatus,
  spec: V1Container | undefined,
): number {
  const { startupProbe: probe } = spec ?? {}
  const startedAt = state?.running?.startedAt
  if (probe === undefined || startedAt === undefined || started === true) return Infinity
  return new Date(startedAt).getTime() + startSeconds(probe) * 1000
}

/** How long a startup check lets a container start. */
export function startSeconds({
  initialDelaySeconds = 0,
  failureThreshold = 3,
  periodSeconds = 10,
}: V1Probe): number {
  return initialDelaySeconds + failureThreshold * periodSeconds
}

/** Whether the last run of a container ended because its startup check did not succeed in time. */
export function missedStart(
  { started, lastState }: V1ContainerStatus,
  spec: V1Container | undefined,
  notReadySince: Date | undefined,
): boolean {
  const ended = lastState?.terminated
  const { startupProbe: probe } = spec ?? {}
  if (started === true || probe === undefined || ended === undefined) return false
  const { exitCode, reason, startedAt = Number.NaN, finishedAt = Number.NaN } = ended
  const [start, end] = [new Date(startedAt).getTime(), new Date(finishedAt).getTime()]
  const wasReady = notReadySince === undefined || new Date(notReadySince).getTime() > start
  if (wasReady || reason === 'OOMKilled' || !STOPPED_CODES.has(exitCode)) return false
  return lastedUntilStop(end - start, probe)
}

/** Whether a container ran for as long as its startup check may fail. */
function lastedUntilStop(runMs: number, probe: V1Probe | undefined): boolean {
  const { failureThreshold = 3, periodSeconds = 10, timeoutSeconds = 1 } = probe ?? {}
  const { initialDelaySeconds = 0 } = probe ?? {}
  const least = initialDelaySeconds + (failureThreshold - 1) * periodSeconds
  const most = initialDelaySeconds + failureThreshold * (periodSeconds + timeoutSeconds)
  return runMs >= least * 1000 && runMs <= most * 1000 + SLACK_MS
}
