import type { components } from './gen/api.ts'

/** The body of every error of the API. */
export type Problem = components['schemas']['Problem']

/** A field of a request that is not valid. */
export interface FieldProblem {
  /** Path of the field, e.g. `credentials.OPENAI_API_KEY`; empty if the API names none. */
  readonly field: string
  readonly message: string
}

/** What an error of the API says. */
export interface ApiErrorFacts {
  /** Method and URL of the request, without its query. */
  readonly request: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly problems: readonly FieldProblem[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly problem: Problem | undefined
}

/** The server has answered with a status other than 2xx. */
export class ApiError extends Error {
  readonly status: number
  /** What is wrong, for programs, e.g. `agent_not_found`. Its meaning never changes. */
  readonly code: string
  /** What is wrong, for people. */
  readonly detail: string
  /** The invalid fields of the request. */
  readonly problems: readonly FieldProblem[]
  /** Id of the request in the logs of the server. */
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined
  /** The body; undefined if it is not Slipway's, for example that of a proxy. */
  readonly problem: Problem | undefined

  constructor(facts: ApiErrorFacts) {
    super(`${facts.request}: ${facts.status} ${facts.code}: ${facts.detail}`)
    this.name = 'ApiError'
    this.status = facts.status
    this.code = facts.code
    this.detail = facts.detail
    this.problems = facts.problems
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.problem = facts.problem
  }
}

/**
 * Why there is no usable response:
 * - `refused`: no server listens there
 * - `name_not_found`: the host name does not exist
 * - `name_lookup_failed`: the name could not be looked up at the moment
 * - `unreachable`: there is no route to the host
 * - `tls`: the certificate is not trusted, or the server does not speak TLS
 * - `timeout`: no response in time
 * - `cut`: the connection ended early
 * - `not_slipway`: something else than Slipway has answered
 * - `unknown`: no reason is known; browsers never give one
 */
export type ConnectionReason =
  | 'refused'
  | 'name_not_found'
  | 'name_lookup_failed'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'cut'
  | 'not_slipway'
  | 'unknown'

/** There is no usable response. For a request without retries, it may have been executed. */
export class ConnectionError extends Error {
  readonly reason: ConnectionReason
  /** Origin of the server. */
  readonly server: string
  /** What is wrong, for people. */
  readonly detail: string

  constructor(reason: ConnectionReason, server: string, detail: string, cause?: unknown) {
    super(`${server}: ${detail}`, { cause })
    this.name = 'ConnectionError'
    this.reason = reason
    this.server = server
    this.detail = detail
  }
}
