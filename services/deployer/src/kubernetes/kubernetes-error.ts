import { Unavailable } from '@slipway/shared/errors'

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export interface KubernetesStatus {
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    /** The resource that the error is about, e.g. `resourcequotas`. */
    readonly kind?: string
    readonly retryAfterSeconds?: number
    readonly causes?: readonly {
      readonly reason?: string
      readonly message?: string
      readonly field?: string
    }[]
  }
}

/**
 * An error response of the API server. Its message may quote a secret value from the request, so it
 * must be redacted before it is shown. `status` isn't an own property, so that logs don't contain
 * it.
 */
export class KubernetesError extends Error {
  readonly statusCode: number
  /** The API server's machine-readable reason, e.g. `Forbidden`, `AlreadyExists`, `Invalid`. */
  readonly reason: string
  readonly #status: KubernetesStatus

  constructor(statusCode: number, status: KubernetesStatus) {
    super(`the API server returned ${statusCode} ${status.reason ?? ''}`.trim())
    this.name = 'KubernetesError'
    this.statusCode = statusCode
    this.reason = status.reason ?? `HTTP ${statusCode}`
    this.#status = status
  }

  get status(): KubernetesStatus {
    return this.#status
  }
}

/** Whether an error is a response of the API server with the given HTTP status. */
export function isKubernetesStatus(error: unknown, statusCode: number): error is KubernetesError {
  return error instanceof KubernetesError && error.statusCode === statusCode
}

/** Whether the API server is overloaded or failing, so that a retry may succeed. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof KubernetesError && (error.statusCode === 429 || error.statusCode >= 500)
}

/**
 * Whether a request has failed because other requests changed a quota of the namespace at the same
 * time. It has changed nothing, and a retry succeeds.
 */
export function isQuotaConflict(error: unknown): boolean {
  return isKubernetesStatus(error, 409) && error.status.details?.kind === 'resourcequotas'
}

/** Whether the API server asks clients to retry later, regardless of the request. */
export function isBusy(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && [429, 503, 504].includes(error.statusCode)
}

/**
 * Whether the API server rejected the object itself: because of missing permissions, a quota, an
 * admission policy or invalid content.
 */
export function isRefusal(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && [400, 403, 422].includes(error.statusCode)
}

/** Returns the error for an API server that can't be reached or doesn't respond in time. */
export function clusterUnreachable(cause: unknown): Unavailable {
  return new Unavailable('cluster_unreachable', 'the cluster is unreachable; retry later', {
    cause,
    retryAfterMs: 2_000,
  })
}

/**
 * Whether a request timed out: the API server is down, or something that it calls for this request,
 * e.g. a webhook.
 */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof Unavailable &&
    error.cause instanceof DOMException &&
    error.cause.name === 'TimeoutError'
  )
}
