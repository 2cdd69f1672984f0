import { DomainError, RateLimited, Unauthenticated, Unavailable } from '@slipway/shared/errors'

/** A request that must not be retried: the sender has to change it. */
export class BadRequest extends Error {
  readonly status: number

  constructor(message: string, { status = 400, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'BadRequest'
    this.status = status
  }
}

/** An error as reported over OTLP/HTTP. */
export interface HttpError {
  readonly status: number
  /** The gRPC status code. */
  readonly code: number
  readonly message: string
  readonly retryAfterSeconds: number | undefined
}

const GRPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  413: 3,
  415: 3,
  429: 8,
  503: 14,
}
const DEFAULT_RETRY_MS = 30_000

/** Maps an error of the ingest to an HTTP error. Senders retry only after a 429 and a 503. */
export function toHttpError(error: unknown): HttpError {
  const status = statusOf(error)
  const isRetryable = status === 429 || status === 503
  const retryAfterMs =
    (error instanceof DomainError ? error.retryAfterMs : undefined) ?? DEFAULT_RETRY_MS
  return {
    status,
    code: GRPC_CODES[status] ?? (status < 500 ? 3 : 13),
    message: messageOf(error, status),
    retryAfterSeconds: isRetryable ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : undefined,
  }
}

function messageOf(error: unknown, status: number): string {
  if (status === 500 || !(error instanceof Error)) return 'internal error'
  if ('code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return 'the content type must be application/x-protobuf or application/json'
  return error.message
}

function statusOf(error: unknown): number {
  if (error instanceof BadRequest) return error.status
  if (error instanceof Unauthenticated) return 401
  if (error instanceof RateLimited) return 429
  if (error instanceof Unavailable) return 503
  // Errors of the HTTP server have a status, such as 413 or 415.
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error
      ? Number(error.statusCode)
      : 500
  return status >= 400 && status < 500 ? status : 500
}
