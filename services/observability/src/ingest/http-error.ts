import { DomainError, RateLimited, Unauthenticated, Unavailable } from '@slipway/shared/errors'

/** A request that no repetition makes better; the status says in which way. */
export class BadRequest extends Error {
  readonly status: number

  constructor(message: string, cause?: unknown, status = 400) {
    super(message, { cause })
    this.name = 'BadRequest'
    this.status = status
  }
}

/** An error as OTLP over HTTP tells it. */
export interface HttpError {
  readonly status: number
  /** gRPC's number for it. */
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

/** Maps an error of the ingest. Senders try again after 429 and 503 and after nothing else. */
export function toHttpError(error: unknown): HttpError {
  const status = statusOf(error)
  const isToRetry = status === 429 || status === 503
  const retryAfterMs =
    (error instanceof DomainError ? error.retryAfterMs : undefined) ?? DEFAULT_RETRY_MS
  return {
    status,
    code: GRPC_CODES[status] ?? (status < 500 ? 3 : 13),
    message: status === 500 || !(error instanceof Error) ? 'internal error' : error.message,
    retryAfterSeconds: isToRetry ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : undefined,
  }
}

function statusOf(error: unknown): number {
  if (error instanceof BadRequest) return error.status
  if (error instanceof Unauthenticated) return 401
  if (error instanceof RateLimited) return 429
  if (error instanceof Unavailable) return 503
  // Errors of the HTTP server itself say their status, e.g. 413 or 415.
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error
      ? Number(error.statusCode)
      : 500
  return status >= 400 && status < 500 ? status : 500
}
