import type { DeploymentState } from './states.ts'

/** What is known of a pod. */
export interface PodFacts {
  readonly name: string
  readonly phase: string
  readonly isReady: boolean
  readonly isTerminating: boolean
  readonly restarts: number
  /** Why it isn't ready, as the kubelet or the scheduler says; empty when it is, or nobody said. */
  readonly reason: string
  /**
   * From when on waiting no longer mends it, in milliseconds of the epoch; Infinity for what may
   * pass any time.
   */
  readonly stuckFrom: number
  /** Which version of its component's template it was made from. */
  readonly templateHash: string
}

/** What is known of the object that keeps a component's pods. */
export type WorkloadFacts =
  | {
      readonly kind: 'Deployment' | 'StatefulSet'
      readonly uid: string
      readonly generation: number
      readonly observedGeneration: number
      readonly replicas: number
      /** Pods there are, of the present template, and ready ones of those. */
      readonly currentReplicas: number
      readonly updatedReplicas: number
      readonly availableReplicas: number
      /** Why its controller can't go on; empty when it can. */
      readonly problem: string
      /** From when on that counts as giving up. */
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
  | { readonly kind: 'CronJob'; readonly uid: string }

/** A component as an apply left it. */
export interface ExpectedComponent {
  readonly name: string
  /** Undefined for one that runs nothing by itself. */
  readonly workload:
    | { readonly kind: string; readonly uid: string; readonly generation: number }
    | undefined
}

/** The live state of a component. */
export interface ComponentState {
  readonly name: string
  readonly state: DeploymentState
  readonly reason: string
}

/**
 * The state of one component at `now`, in milliseconds of the epoch. `facts` is undefined when the
 * cluster has no such workload. `wasReady` says whether the revision was ready before.
 */
export function evaluateComponent(
  { name, workload }: ExpectedComponent,
  facts: WorkloadFacts | undefined,
  pods: readonly PodFacts[],
  { wasReady, now }: { readonly wasReady: boolean; readonly now: number },
): ComponentState {
  if (workload === undefined) return { name, state: 'ready', reason: '' }
  if (workload.uid === '')
    return { name, state: 'failed', reason: `the ${workload.kind} was refused by the cluster` }
  if (facts === undefined) {
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
 * Whether fewer pods are up than there should be; while they are replaced one by one, the former
 * ones still are.
 */
function lacksPods(facts: WorkloadFacts): boolean {
  return (
    facts.kind === 'Job' || (facts.kind !== 'CronJob' && facts.availableReplicas < facts.replicas)
  )
}

/** The state of a deployment: the worst of its components, with that one's reason. */
export function evaluateDeployment(
  components: readonly ComponentState[],
): Omit<ComponentState, 'name'> {
  for (const state of ['failed', 'degraded', 'progressing'] as const) {
    const worst = components.find((component) => component.state === state)
    if (worst) return { state, reason: worst.reason }
  }
  return { state: 'ready', reason: '' }
}

/**
 * A deployment that the cluster has in part only is not ready, whatever its pods say: at best it is
 * degraded.
 */
export function withRefusals(
  evaluated: Omit<ComponentState, 'name'>,
  refusals: readonly string[],
): Omit<ComponentState, 'name'> {
  const [first] = refusals
  return evaluated.state === 'ready' && first !== undefined
    ? { state: 'degraded', reason: first }
    : evaluated
}

type Evaluated = Omit<ComponentState, 'name'>

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

// A Job is where it should be as soon as its pod runs: nobody waits for hours of ingestion.
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
