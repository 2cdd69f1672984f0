/** What started a run of an ingestion. */
export type RunTrigger = 'schedule' | 'startup' | 'manual'

/**
 * `pending`: no pod of the run has started. `canceled`: a member ended it, or it is no longer
 * wanted. The last three are final.
 */
export type RunState = 'pending' | 'running' | 'succeeded' | 'failed' | 'canceled'

/** The Job of a run. Times are in milliseconds since the epoch. */
export interface RunJob {
  readonly uid: string
  readonly name: string
  readonly component: string
  readonly trigger: RunTrigger
  readonly createdAt: number
  /** Undefined while it runs. */
  readonly endedAt: number | undefined
  readonly outcome: 'open' | 'succeeded' | 'failed'
  /** Kubernetes' reason for the failure, e.g. `BackoffLimitExceeded`; empty without one. */
  readonly failure: string
  /** The pods that it has created so far. */
  readonly attempts: number
  readonly templateHash: string
}

/** A pod of a run. Times are in milliseconds since the epoch. */
export interface RunPod {
  readonly name: string
  readonly createdAt: number
  /** When its container first started; undefined if it hasn't. */
  readonly startedAt: number | undefined
  /** Undefined until the container has ended. */
  readonly exit: { readonly code: number; readonly reason: string } | undefined
  /** Why it isn't ready; empty if unknown. */
  readonly reason: string
  /** Whether it can't start now, and may never without a change. */
  readonly isStuck: boolean
}

/** A run as seen in the cluster. */
export interface ObservedRun {
  readonly state: Exclude<RunState, 'canceled'>
  readonly reason: string
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly exitCode: number | undefined
  readonly attempts: number
  /** Name of its last pod; empty if it has none. */
  readonly pod: string
  /** Whether it can't start now, and may never without a change. */
  readonly isStuck: boolean
}

/** Determines the state of a run from its Job and its pods. */
export function observeRun(job: RunJob, pods: readonly RunPod[]): ObservedRun {
  const sorted = pods.toSorted((a, b) => a.createdAt - b.createdAt)
  const last = sorted.at(-1)
  const exit = sorted.findLast((pod) => pod.exit !== undefined)?.exit
  const startedAt = sorted.find((pod) => pod.startedAt !== undefined)?.startedAt
  const state = stateOf(job, startedAt)
  return {
    state,
    reason: reasonOf(job, state, exit, last),
    startedAt,
    endedAt: job.endedAt,
    exitCode: exit?.code,
    attempts: Math.max(job.attempts, pods.length),
    pod: last?.name ?? '',
    isStuck: state === 'pending' && last?.isStuck === true,
  }
}

/** Whether a run has ended. */
export function isFinal(state: RunState): boolean {
  return state !== 'pending' && state !== 'running'
}

function stateOf({ outcome }: RunJob, startedAt: number | undefined): ObservedRun['state'] {
  if (outcome !== 'open') return outcome
  return startedAt === undefined ? 'pending' : 'running'
}

function reasonOf(
  { failure, attempts }: RunJob,
  state: ObservedRun['state'],
  exit: RunPod['exit'],
  last: RunPod | undefined,
): string {
  if (state === 'succeeded') return ''
  if (state !== 'failed') return last?.reason ?? ''
  if (failure === 'DeadlineExceeded') return 'it did not end before its deadline'
  const count = attempts === 1 ? 'its only attempt failed' : `all ${attempts} attempts failed`
  if (exit === undefined) return last?.reason ? `${count}: ${last.reason}` : count
  const why = exit.reason === '' || exit.reason === 'Error' ? '' : ` (${exit.reason})`
  return `${count}; the last exit code is ${exit.code}${why}`
}
