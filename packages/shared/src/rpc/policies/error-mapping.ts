import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from '@slipway/proto/google/rpc/error_details'

import {
  AlreadyExists,
  Conflict,
  DomainError,
  FailedPrecondition,
  InvalidInput,
  NotFound,
  PermissionDenied,
  RateLimited,
  Unauthenticated,
  Unavailable,
  type FieldViolation,
} from '../../errors.ts'
import { calledService, unavailableMessage } from '../called-service.ts'
import { fitTrailers } from './fit-trailers.ts'

/** The `domain` of every ErrorInfo that Slipway sends. */
const ERROR_DOMAIN = 'slipway.dev'

type OutgoingDetails = NonNullable<ConstructorParameters<typeof ConnectError>[3]>

const CODES = [
  [InvalidInput, Code.InvalidArgument],
  [NotFound, Code.NotFound],
  [AlreadyExists, Code.AlreadyExists],
  [Conflict, Code.Aborted],
  [FailedPrecondition, Code.FailedPrecondition],
  [PermissionDenied, Code.PermissionDenied],
  [Unauthenticated, Code.Unauthenticated],
  [RateLimited, Code.ResourceExhausted],
  [Unavailable, Code.Unavailable],
] as const

/**
 * Returns the error to send. Domain errors keep their message and get details
 * (google.rpc.ErrorInfo, BadRequest, RetryInfo); a ConnectError of the protocol layer is unchanged;
 * everything else becomes `internal` with a fixed message and the original as its cause.
 */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof DomainError) return fromDomainError(error)
  if (error instanceof ConnectError) return error
  return new ConnectError('internal error', Code.Internal, undefined, undefined, error)
}

/** The error for a request whose bytes can't be decoded. */
export function unreadableRequest(cause: unknown): ConnectError {
  return toConnectError(
    new InvalidInput('invalid_argument', 'the request is not a valid request for this method', {
      cause,
    }),
  )
}

function fromDomainError(error: DomainError): ConnectError {
  const code = CODES.find(([type]) => error instanceof type)?.[1] ?? Code.Internal
  const { message, metadata, violations } = fitTrailers(error)
  const details: OutgoingDetails = [
    {
      desc: ErrorInfoSchema,
      value: { reason: error.reason, domain: ERROR_DOMAIN, metadata: { ...metadata } },
    },
  ]
  if (violations.length > 0) {
    details.push({
      desc: BadRequestSchema,
      value: { fieldViolations: violations.map((violation) => ({ ...violation })) },
    })
  }
  if (error.retryAfterMs !== undefined) {
    details.push({
      desc: RetryInfoSchema,
      value: { retryDelay: durationFromMs(error.retryAfterMs) },
    })
  }
  return new ConnectError(message, code, undefined, details, error.cause ?? error)
}

/** The parts of an error of a Slipway RPC. */
export interface RemoteError {
  readonly code: Code
  /** Stable machine-readable word; undefined if Slipway's code didn't create the error. */
  readonly reason: string | undefined
  /** Message for users. */
  readonly message: string
  readonly metadata: Readonly<Record<string, string>>
  readonly violations: readonly FieldViolation[]
  readonly retryAfterMs: number | undefined
  /** The called service; undefined if the error isn't that of a call. */
  readonly service: string | undefined
}

/** Reads the parts of an error that an RPC client threw. */
export function readRemoteError(error: unknown): RemoteError {
  const connectError = ConnectError.from(error)
  const info = connectError
    .findDetails(ErrorInfoSchema)
    .find(({ domain }) => domain === ERROR_DOMAIN)
  const badRequest = connectError.findDetails(BadRequestSchema)[0]
  const retry = connectError.findDetails(RetryInfoSchema)[0]
  return {
    code: connectError.code,
    reason: info?.reason,
    message: connectError.rawMessage,
    metadata: info?.metadata ?? {},
    violations: (badRequest?.fieldViolations ?? []).map(({ field, description }) => ({
      field,
      description,
    })),
    retryAfterMs: retry?.retryDelay && durationMs(retry.retryDelay),
    service: calledService(connectError),
  }
}

/**
 * Converts an error of another service's RPC back to the original domain error, to pass it on to
 * the caller. Timeouts and connection errors become Unavailable; other errors are returned
 * unchanged.
 */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error
  const { code, reason, message, metadata, violations, retryAfterMs, service } =
    readRemoteError(error)
  if (reason === undefined) {
    const isTransient = code === Code.Unavailable || code === Code.DeadlineExceeded
    return isTransient
      ? new Unavailable('service_unavailable', unavailableMessage(service), { cause: error })
      : error
  }
  const type = CODES.find(([, candidate]) => candidate === code)?.[0]
  if (type === undefined) return error
  const options = { cause: error, metadata, violations }
  return new type(
    reason,
    message,
    retryAfterMs === undefined ? options : { ...options, retryAfterMs },
  )
}
