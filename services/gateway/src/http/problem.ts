import { STATUS_CODES } from 'node:http'

/** An RFC 9457 problem body with Slipway's extension members; see docs/reference/errors.md. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  /** Stable machine-readable code. */
  readonly code: string
  /** Short message; `unauthorized` on 401. */
  readonly error: string
  readonly details?: string
  readonly request_id: string
  /** `path: problem`, sorted; only if fields of the request are invalid. */
  readonly validation_errors?: readonly string[]
  readonly valid?: boolean
}

/** The optional parts of a problem. */
export interface HttpProblemOptions {
  /** `path: problem` for each invalid field. */
  readonly validationErrors?: readonly string[]
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** An error that becomes a problem body. */
export class HttpProblem extends Error {
  readonly status: number
  readonly code: string
  readonly validationErrors: readonly string[] | undefined
  readonly retryAfterMs: number | undefined

  constructor(status: number, code: string, message: string, options: HttpProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'HttpProblem'
    this.status = status
    this.code = code
    this.validationErrors = options.validationErrors
    this.retryAfterMs = options.retryAfterMs
  }
}

export function problemBody(problem: HttpProblem, request: { url: string; id: string }): Problem {
  return {
    type: `urn:slipway:problem:${problem.code}`,
    title: titleOf(problem.status),
    status: problem.status,
    detail: problem.message,
    instance: request.url.split('?', 1)[0] ?? '',
    code: problem.code,
    error: problem.status === 401 ? 'unauthorized' : problem.message,
    request_id: request.id,
    ...(problem.validationErrors === undefined
      ? {}
      : {
          details: problem.validationErrors.join('; '),
          validation_errors: problem.validationErrors,
        }),
  }
}

/** The code of a status that has no more specific one, such as `not_found`. */
export function codeOfStatus(status: number): string {
  return titleOf(status)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
}

/** The reason phrase of a status. */
export function titleOf(status: number): string {
  return status === 499 ? 'Client Closed Request' : (STATUS_CODES[status] ?? 'Error')
}

/** Compares strings by code point, the sort order of the whole API. */
export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
