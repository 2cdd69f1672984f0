import type { DeploymentState } from './states.ts'

/** How a container ended before it was restarted. */
export interface PodExit {
  /** One word of Kubernetes, e.g. `OOMKilled`; empty if unknown. */
  readonly reason: string
  readonly exitCode: number
  /** When it ended, as an ISO 8601 text; empty if unknown. */
  readonly time: string
}

/** The state of a pod. */
export interface PodFacts {
  readonly name: string
  readonly phase: string
  readonly isReady: boolean
  readonly isTerminating: boolean
  readonly restarts: number
  /** Undefined if no container has restarted. */
  readonly lastExit: PodExit | undefined
  /**
   * Why it isn't ready, as reported by the kubelet or the scheduler; empty when unknown or ready.
   */
  readonly reason: string
  /**
   * The time from which the pod counts as stuck, because waiting won't help. Milliseconds since the
   * epoch; Infinity for a pod that may still become ready.
   */
  readonly stuckFrom: number
  /** Hash of the template that it was created from. */
  readonly templateHash: string
}

/** The state of a component's workload. */
export type WorkloadFacts =
  | {
      readonly kind: 'Deployment' | 'StatefulSet'
      readonly uid: string
      readonly generation: number
      readonly observedGeneration: number
      readonly replicas: number
      /** All pods. */
      readonly currentReplicas: number
      /** Pods of the current template. */
      readonly updatedReplicas: number
      /** Pods that are ready. */
      readonly availableReplicas: number
      /** Why its controller can't continue; empty if it can. */
      readonly problem: string
      /** The time from which the problem counts as a failure, in milliseconds since the epoch. */
      readonly problemFrom: number
      readonly templateHash: string
    }
  | {
      readonly kind: 'Job'
      readonly uid: string
      readonly isComplete: boolean
      /** Why it failed; empty when it didn't. */
      readonly problem: string
      readonly templateHash: string
    }
  | { readonly kind: 'CronJob'; readonly uid: string; readonly templateHash: string }

/** An applied component. */
export interface ExpectedComponent {
  readonly name: string
  /** Undefined for a component without a workload, e.g. an ingestion that is triggered manually. */
  readonly workload:
    | { readonly kind: string; readonly uid: string; readonly generation: number }
    | undefined
}

/** The state of a component. */
export interface ComponentState {
  readonly name: string
  readonly state: DeploymentState
  readonly reason: string
}

/** The options of an evaluation. Times are in milliseconds since the epoch. */
export interface EvaluationOptions {
  /** Whether the revision was ready before. */
  readonly wasReady: boolean
  /** When the revision was deployed. */
  readonly deployedAt: number
  readonly now: number
}

/**
 * The watch of a busy API server may report a new workload only some seconds after it was applied.
 */
const MISSING_GRACE_MS = 30_000

/**
 * Determines the state of a component. `facts` is undefined when the watch has not reported such a
 * workload.
 */
export function evaluateComponent(
  { name, workload }: ExpectedComponent,
  facts: WorkloadFacts | undefined,
  pods: readonly PodFacts[],
  { wasReady, deployedAt, now }: EvaluationOptions,
): ComponentState {
  if (workload === undefined) return { name, state: 'ready', reason: '' }
  if (workload.uid === '')
    return { name, state: 'failed', reason: `the cluster rejected the ${workload.kind}` }
  if (facts === undefined) {
    if (!wasReady && now < deployedAt + MISSING_GRACE_MS)
      return { name, state: 'progressing', reason: '' }
    return {
      name,
      state: wasReady ? 'degraded' : 'failed',
      reason: `the ${workload.kind} is missing`,
    }
  }
  const { state, reason } =
    facts.kind === 'Job'
      ? evaluateJob(facts, pods, now)
      : evaluateReplicas(workload, facts, pods, now)
  return {
    name,
    state: state === 'progressing' && wasReady && lacksPods(facts) ? 'degraded' : state,
    reason,
  }
}

/**
 * Whether fewer pods are available than desired. During a rolling update, old pods count as
 * available.
 */
function lacksPods(facts: WorkloadFacts): boolean {
  return (
    facts.kind === 'Job' || (facts.kind !== 'CronJob' && facts.availableReplicas < facts.replicas)
  )
}

/**
 * Returns the state of a deployment: the worst state of its components, with its reason. A failure
 * of those in `minor` only degrades it.
 */
export function evaluateDeployment(
  components: readonly ComponentState[],
  minor: ReadonlySet<string> = NONE,
): Omit<ComponentState, 'name'> {
  const effectOf = ({ name, state }: ComponentState): DeploymentState =>
    state === 'failed' && minor.has(name) ? 'degraded' : state
  for (const state of ['failed', 'degraded', 'progressing'] as const) {
    const worst = components.find((component) => effectOf(component) === state)
    if (worst) return { state, reason: worst.reason }
  }
  return { state: 'ready', reason: '' }
}

/** A deployment with rejected objects is at best degraded, even when all its pods are ready. */
export function withRefusals(
  evaluated: Omit<ComponentState, 'name'>,
  refusals: readonly string[],
): Omit<ComponentState, 'name'> {
  const [first] = refusals
  return evaluated.state === 'ready' && first !== undefined
    ? { state: 'degraded', reason: first }
    : evaluated
}

/** Whether a pod has the template of an earlier revision, and will be replaced. */
export function isFormer(pod: PodFacts, workload: WorkloadFacts | undefined): boolean {
  if (workload?.kind !== 'Deployment' && workload?.kind !== 'StatefulSet') return false
  return pod.templateHash !== workload.templateHash
}

type Evaluated = Omit<ComponentState, 'name'>

const NONE: ReadonlySet<string> = new Set()
const READY: Evaluated = { state: 'ready', reason: '' }

function evaluateReplicas(
  workload: NonNullable<ExpectedComponent['workload']>,
  facts: Exclude<WorkloadFacts, { kind: 'Job' }>,
  pods: readonly PodFacts[],
  now: number,
): Evaluated {
  if (facts.kind === 'CronJob') return READY
  const isSeen = facts.uid === workload.uid && facts.generation >= workload.generation
  if (!isSeen || facts.observedGeneration < facts.generation)
    return { state: 'progressing', reason: '' }
  const { replicas } = facts
  if (
    facts.currentReplicas === replicas &&
    facts.updatedReplicas === replicas &&
    facts.availableReplicas === replicas
  ) {
    return READY
  }
  const current = pods.filter(
    (pod) => pod.templateHash === facts.templateHash && !pod.isTerminating,
  )
  const stuck = current.find((pod) => pod.stuckFrom <= now && !pod.isReady)
  if (stuck) return { state: 'failed', reason: stuck.reason }
  const waiting = current.find((pod) => !pod.isReady && pod.reason !== '')?.reason ?? ''
  const reason = waiting === '' ? facts.problem : waiting
  return {
    state: facts.problem !== '' && facts.problemFrom <= now ? 'failed' : 'progressing',
    reason,
  }
}

// A Job counts as ready once its pod runs: a deploy doesn't wait for hours of ingestion.
function evaluateJob(
  facts: WorkloadFacts & { kind: 'Job' },
  pods: readonly PodFacts[],
  now: number,
): Evaluated {
  if (facts.isComplete) return READY
  if (facts.problem !== '') return { state: 'failed', reason: facts.problem }
  const current = pods.filter(
    (pod) => pod.templateHash === facts.templateHash && !pod.isTerminating,
  )
  const stuck = current.find((pod) => pod.stuckFrom <= now && !pod.isReady)
  if (stuck) return { state: 'failed', reason: stuck.reason }
  if (current.some((pod) => pod.phase === 'Running' || pod.phase === 'Succeeded')) return READY
  return { state: 'progressing', reason: current.find((pod) => pod.reason !== '')?.reason ?? '' }
}
