/** The states of a deployment and of its components. */
export const DEPLOYMENT_STATES = [
  'progressing',
  'ready',
  'degraded',
  'failed',
  'undeploying',
  'undeployed',
] as const
/**
 * `progressing`: rolling out. `ready`: all pods are ready. `degraded`: was ready, and some pods are
 * not. `failed`: can't become ready without a change.
 */
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

/** The states of a revision. */
export const REVISION_STATES = ['applying', 'applied', 'partial', 'failed', 'superseded'] as const
/**
 * `applied`: the cluster accepted all objects. `partial`: it rejected some. `failed`: nothing was
 * applied. `superseded`: a later revision replaced it.
 */
export type RevisionState = (typeof REVISION_STATES)[number]

/** The effect of an apply on one cluster object. */
export type ResourceStatus = 'created' | 'updated' | 'unchanged' | 'pruned' | 'failed'

/** The result for one cluster object. */
export interface ResourceResult {
  readonly kind: string
  readonly name: string
  /** Empty for the namespace itself. */
  readonly namespace: string
  readonly status: ResourceStatus
  /** Why it failed, for users; empty otherwise. */
  readonly message: string
}

/** Returns `Kind/name: reason` of each failed object, sorted by code point. */
export function errorsOf(results: readonly ResourceResult[]): string[] {
  return results
    .filter(({ status }) => status === 'failed')
    .map(({ kind, name, message }) => `${kind}/${name}: ${message}`)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
