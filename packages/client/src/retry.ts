import { ApiError, ConnectionError, type ConnectionReason } from './errors.ts'

/** Bounds of the retries of one call. */
export interface RetryOptions {
  /** Most requests that one call sends; default 5. With 1, nothing is retried. */
  readonly attempts?: number
  /** Longest wait before a retry, also if the server asks for more; default 30 s. */
  readonly maxDelayMs?: number
  /** Time after which a call is not retried any more; default 2 minutes. */
  readonly totalMs?: number
}

/** The bounds with their defaults. */
export type RetryBounds = Required<RetryOptions>

/** Returns the bounds with their defaults. */
export function retryBounds(options: RetryOptions | false = {}): RetryBounds {
  if (options === false) return { attempts: 1, maxDelayMs: 0, totalMs: 0 }
  return { attempts: 5, maxDelayMs: 30_000, totalMs: 120_000, ...options }
}

/** What is known when a request has failed. */
export interface FailedAttempt {
  readonly error: unknown
  /** How many requests of this call have failed. */
  readonly attempt: number
  /** Milliseconds since the call began. */
  readonly elapsedMs: number
}

const FIRST_DELAY_MS = 250
const STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])
const REASONS: ReadonlySet<ConnectionReason> = new Set([
  'refused',
  'name_lookup_failed',
  'unreachable',
  'timeout',
  'cut',
  'unknown',
])

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return REASONS.has(error.reason)
  return error instanceof ApiError && STATUSES.has(error.status)
}

/**
 * How long to wait before a repeatable request is sent again; undefined if it isn't. `random` is
 * from 0 to 1.
 */
export function retryDelayMs(
  { error, attempt, elapsedMs }: FailedAttempt,
  { attempts, maxDelayMs, totalMs }: RetryBounds,
  random: number = Math.random(),
): number | undefined {
  const isRunning = isOwnRequestRunning(error, attempt)
  if (!isRunning && (attempt >= attempts || !isTransient(error))) return undefined
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  if (asked !== undefined && asked * 1000 > maxDelayMs) return undefined
  const delayMs = asked === undefined ? backoffMs(attempt, random) : asked * 1000 + random * 250
  const boundedMs = Math.min(delayMs, maxDelayMs)
  return elapsedMs + boundedMs > totalMs ? undefined : boundedMs
}

/** Doubles from a quarter of a second to 16 seconds, and takes a random half to all of it. */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  return FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 6) * (0.5 + random / 2)
}

/** Whether an earlier request of the same call, whose response was lost, is still running. */
function isOwnRequestRunning(error: unknown, attempt: number): boolean {
  return error instanceof ApiError && error.code === 'idempotency_key_in_use' && attempt > 1
}
