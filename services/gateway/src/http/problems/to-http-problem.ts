import { Code } from '@connectrpc/connect'
import { DomainError, type FieldViolation } from '@slipway/shared/errors'
import { readRemoteError, unavailableMessage, type RemoteError } from '@slipway/shared/rpc'

import { byCodePoint, codeOfStatus, HttpProblem, titleOf } from '../problem.ts'

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

/** Reasons with a different status than their code. */
const STATUS_OF_REASON: Readonly<Record<string, number>> = {
  idempotency_key_reused: 422,
  too_large: 413,
}

/** RPC fields that have a different name in the REST API. */
const NAME_OF_FIELD: Readonly<Record<string, string>> = {
  page_size: 'limit',
  page_token: 'cursor',
  skip: 'offset',
  query: 'q',
  new_name: 'name',
  lifetime_days: 'expires_in_days',
  'range.start': 'start_time',
  'range.end': 'end_time',
  interval_minutes: 'interval',
}

/** Converts an error of an RPC or of the gateway itself. */
export function toHttpProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (error instanceof DomainError) return fromRemoteError(domainFacts(error), error)
  return fromRemoteError(readRemoteError(error), error)
}

/** Errors of checks that run in the gateway, such as the access token's. */
function domainFacts(error: DomainError): RemoteError {
  const code =
    error.name === 'Unauthenticated'
      ? Code.Unauthenticated
      : error.name === 'Unavailable'
        ? Code.Unavailable
        : Code.Internal
  const { reason, message, metadata, violations, retryAfterMs } = error
  return { code, reason, message, metadata, violations, retryAfterMs, service: undefined }
}

function fromRemoteError(remote: RemoteError, cause: unknown): HttpProblem {
  // Without a reason this is the transport's error, about message size or server memory. The caller
  // isn't sending too many requests, so it isn't a 429.
  const isTransportError = remote.code === Code.ResourceExhausted && remote.reason === undefined
  const status = isTransportError
    ? 500
    : (STATUS_OF_REASON[remote.reason ?? ''] ?? STATUS_OF_CODE[remote.code])
  // Without a reason the message comes from a library or a proxy and isn't meant for users.
  const code = remote.reason ?? codeOfStatus(status)
  const message =
    remote.reason !== undefined
      ? messageOf(remote)
      : status === 503
        ? unavailableMessage(remote.service)
        : titleOf(status)
  const validationErrors = validationErrorsOf(remote.violations)
  return new HttpProblem(status, code, message, {
    cause,
    retryAfterMs: remote.retryAfterMs ?? (status === 503 ? 1000 : undefined),
    ...(validationErrors.length > 0 ? { validationErrors } : {}),
  })
}

/** The violations of an RPC as `path: problem`, sorted, with the names of the REST API. */
export function validationErrorsOf(violations: readonly FieldViolation[]): string[] {
  return violations
    .map(({ field, description }) => `${NAME_OF_FIELD[field] ?? field}: ${description}`)
    .sort(byCodePoint)
}

/** If the message starts with the name of the invalid field, uses its name in the REST API. */
function messageOf({ message, violations }: RemoteError): string {
  const field = violations[0]?.field ?? ''
  const name = NAME_OF_FIELD[field]
  return name !== undefined && message.startsWith(`${field} `)
    ? `${name}${message.slice(field.length)}`
    : message
}
