import { STATUS_CODES } from 'node:http'

import { Code } from '@connectrpc/connect'
import { DomainError } from '@slipway/shared/errors'
import { readRemoteError, type RemoteError } from '@slipway/shared/rpc'

/** A problem body (RFC 9457) with Slipway's extension members; see docs/reference/errors.md. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  /** Stable machine word. */
  readonly code: string
  /** Short text for people; on 401 it is `unauthorized`. */
  readonly error: string
  readonly details?: string
  readonly request_id: string
  /** `path: problem`, sorted; only when fields of the request are wrong. */
  readonly validation_errors?: readonly string[]
  readonly valid?: boolean
}

/** An error that the gateway itself answers with. */
export class HttpProblem extends Error {
  readonly status: number
  readonly code: string
  readonly validationErrors: readonly string[] | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      validationErrors?: readonly string[]
      retryAfterMs?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'HttpProblem'
    this.status = status
    this.code = code
    this.validationErrors = options.validationErrors
    this.retryAfterMs = options.retryAfterMs
  }
}

const STATUS_OF_CODE: Readonly<Record<Code, number>> = {
  [Code.InvalidArgument]: 400,
  [Code.FailedPrecondition]: 400,
  [Code.OutOfRange]: 400,
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.Aborted]: 409,
  [Code.ResourceExhausted]: 429,
  [Code.Canceled]: 499,
  [Code.Unimplemented]: 501,
  [Code.Unavailable]: 503,
  [Code.DeadlineExceeded]: 503,
  [Code.Unknown]: 500,
  [Code.Internal]: 500,
  [Code.DataLoss]: 500,
}

/** Reasons that ask for another status than their code's. */
const STATUS_OF_REASON: Readonly<Record<string, number>> = {
  idempotency_key_reused: 422,
  too_large: 413,
}

/** Fields of RPCs that are called otherwise in the REST API. */
const NAME_OF_FIELD: Readonly<Record<string, string>> = {
  page_size: 'limit',
  page_token: 'cursor',
  query: 'q',
  new_name: 'name',
  'range.start': 'start_time',
  'range.end': 'end_time',
  interval_minutes: 'interval',
}

/** The problem that an error of an RPC, of the gateway or of the framework stands for. */
export function toHttpProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (error instanceof DomainError) return fromRemoteError(domainFacts(error), error)
  return fromRemoteError(readRemoteError(error), error)
}

/** Errors of the gateway's own checks, such as the token's, don't come by RPC. */
function domainFacts(error: DomainError): RemoteError {
  const code =
    error.name === 'Unauthenticated'
      ? Code.Unauthenticated
      : error.name === 'Unavailable'
        ? Code.Unavailable
        : Code.Internal
  const { reason, message, metadata, violations, retryAfterMs } = error
  return { code, reason, message, metadata, violations, retryAfterMs }
}

function fromRemoteError(remote: RemoteError, cause: unknown): HttpProblem {
  // A transport's is about the size of messages or a server's memory: nothing that the caller did
  // too often.
  const isTransports = remote.code === Code.ResourceExhausted && remote.reason === undefined
  const status = isTransports
    ? 500
    : (STATUS_OF_REASON[remote.reason ?? ''] ?? STATUS_OF_CODE[remote.code])
  // Without a reason the text comes from a library or a proxy and isn't meant for users.
  const code = remote.reason ?? codeOfStatus(status)
  const message = remote.reason !== undefined ? messageOf(remote) : textOfStatus(status)
  const validationErrors = remote.violations
    .map(({ field, description }) => `${NAME_OF_FIELD[field] ?? field}: ${description}`)
    .sort(byCodePoint)
  return new HttpProblem(status, code, message, {
    cause,
    retryAfterMs: remote.retryAfterMs ?? (status === 503 ? 1000 : undefined),
    ...(validationErrors.length > 0 ? { validationErrors } : {}),
  })
}

/** A message that begins with the field that is wrong names it as the caller knows it. */
function messageOf({ message, violations }: RemoteError): string {
  const field = violations[0]?.field ?? ''
  const name = NAME_OF_FIELD[field]
  return name !== undefined && message.startsWith(`${field} `)
    ? `${name}${message.slice(field.length)}`
    : message
}

/** Renders the body of a problem. */
export function problemBody(problem: HttpProblem, request: { url: string; id: string }): Problem {
  return {
    type: `urn:slipway:problem:${problem.code}`,
    title: textOfStatus(problem.status),
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

/** The machine word of a status that has no better one. */
export function codeOfStatus(status: number): string {
  return textOfStatus(status)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
}

function textOfStatus(status: number): string {
  return status === 499 ? 'Client Closed Request' : (STATUS_CODES[status] ?? 'Error')
}

/** Orders strings by code point, as everything in the API is sorted. */
export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
