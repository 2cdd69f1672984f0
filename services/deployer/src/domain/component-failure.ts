/** An event that Kubernetes recorded about an object. */
export interface ClusterEvent {
  /** One word of Kubernetes, e.g. `Unhealthy`. */
  readonly reason: string
  readonly message: string
  readonly count: number
  readonly firstTime: Date
  readonly lastTime: Date
}

/** Why a component is not ready. Read from the cluster for one response, and never stored. */
export interface ComponentFailure {
  readonly component: string
  /** Empty if the cluster could not create a pod. */
  readonly pod: string
  /** Empty if no container has failed. */
  readonly container: string
  readonly restarts: number
  readonly exitCode: number | undefined
  /** One word of Kubernetes, e.g. `OOMKilled`. */
  readonly reason: string
  readonly message: string
  /** The cluster's own words for `message`; empty if there are none or they must not be shown. */
  readonly original: string
  /** Since when the pod is not ready. */
  readonly since: Date | undefined
  readonly logLines: readonly string[]
  /** Whether the lines are from the run before the last restart. */
  readonly isPreviousLog: boolean
  readonly event: ClusterEvent | undefined
  /** What to do, one step each. */
  readonly next: readonly string[]
  /** Those of `next` that follow from what the log says. */
  readonly logSteps: readonly string[]
}
