import { Unavailable } from '@slipway/shared/errors'

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export interface KubernetesStatus {
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    readonly retryAfterSeconds?: number
    readonly causes?: readonly {
      readonly reason?: string
      readonly message?: string
      readonly field?: string
    }[]
  }
}

/**
 * The API server answered, and refused. What it says may quote what was sent, so it is never shown
 * unredacted: it is no property of its own, and so in no line of a log.
 */
export class KubernetesError extends Error {
  readonly statusCode: number
  /** The API server's machine word, e.g. `Forbidden`, `AlreadyExists`, `Invalid`. */
  readonly reason: string
  readonly #status: KubernetesStatus

  constructor(statusCode: number, status: KubernetesStatus) {
    super(`the API server answered ${statusCode} ${status.reason ?? ''}`.trim())
    this.name = 'KubernetesError'
    this.statusCode = statusCode
    this.reason = status.reason ?? `HTTP ${statusCode}`
    this.#status = status
  }

  get status(): KubernetesStatus {
    return this.#status
  }
}

/** Whether an error is an answer of the API server with the given HTTP status. */
export function isKubernetesStatus(error: unknown, statusCode: number): error is KubernetesError {
  return error instanceof KubernetesError && error.statusCode === statusCode
}

/**
 * Whether the object is refused now but may be accepted a moment later: overload, not a verdict on
 * the object.
 */
export function isOverloaded(error: unknown): boolean {
  return error instanceof KubernetesError && (error.statusCode === 429 || error.statusCode >= 500)
}

/** Whether the API server asks to come back later, whatever the request is about. */
export function isBusy(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && [429, 503, 504].includes(error.statusCode)
}

/**
 * Whether it is a verdict on the object: no rights, a quota, an admission policy or a rule of its
 * kind is against it.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof KubernetesError && [400, 403, 422].includes(error.statusCode)
}

/** The API server could not be reached or did not answer in time. */
export function clusterUnreachable(cause: unknown): Unavailable {
  return new Unavailable(
    'cluster_unreachable',
    'The cluster can not be reached at the moment. Please try again.',
    {
      cause,
      retryAfterMs: 2_000,
    },
  )
}

/**
 * Whether there was no answer in time: the server may be away, or only what it has to ask about
 * this request.
 */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof Unavailable &&
    error.cause instanceof DOMException &&
    error.cause.name === 'TimeoutError'
  )
}
