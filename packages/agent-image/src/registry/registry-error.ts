/** Why a registry refused a request, for programs. */
export type RegistryProblem =
  /** No answer, or a connection that ended too often. */
  | 'unreachable'
  /** Credentials are missing or wrong. */
  | 'unauthorized'
  /** The credentials don't allow it. */
  | 'denied'
  /** The repository, image or blob doesn't exist. */
  | 'not-found'
  /** A limit of the registry: storage, size, or requests per time. */
  | 'limit'
  /** Any other answer. */
  | 'rejected'

/** What a registry refused, why, and what to do. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly problem: RegistryProblem
  /** `host:port` of the registry. */
  readonly registry: string
  /** A sentence that says what to do; undefined if there is no general advice. */
  readonly remedy: string | undefined
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean
  /** The time that the registry asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: {
      readonly problem: RegistryProblem
      readonly registry: string
      readonly remedy?: string | undefined
      readonly status?: number
      readonly isTransient?: boolean
      readonly retryAfterMs?: number | undefined
      readonly cause?: unknown
    },
  ) {
    super(options.remedy === undefined ? message : `${message}; ${options.remedy}`, options)
    this.problem = options.problem
    this.registry = options.registry
    this.remedy = options.remedy
    this.status = options.status
    this.isTransient = options.isTransient ?? false
    this.retryAfterMs = options.retryAfterMs
  }
}
