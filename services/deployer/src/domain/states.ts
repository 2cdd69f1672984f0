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
 * `progressing`: on its way. `ready`: all pods are up. `degraded`: was ready. `failed`: can't
 * become ready by itself.
 */
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

/** The states of a revision. */
export const REVISION_STATES = ['applying', 'applied', 'partial', 'failed', 'superseded'] as const
/**
 * `applied`: the cluster took every object. `partial`: it refused some. `failed`: nothing could be
 * applied.
 */
export type RevisionState = (typeof REVISION_STATES)[number]

/** What happened to one cluster object. */
export type ResourceStatus = 'created' | 'updated' | 'unchanged' | 'pruned' | 'failed'

/** The result for one cluster object. */
export interface ResourceResult {
  readonly kind: string
  readonly name: string
  /** Empty for the namespace itself. */
  readonly namespace: string
  readonly status: ResourceStatus
  /** Why it failed, fit for users; empty otherwise. */
  readonly message: string
}

/** `Kind/name: reason` of everything that failed, sorted by code point. */
export function errorsOf(results: readonly ResourceResult[]): string[] {
  return results
    .filter(({ status }) => status === 'failed')
    .map(({ kind, name, message }) => `${kind}/${name}: ${message}`)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
