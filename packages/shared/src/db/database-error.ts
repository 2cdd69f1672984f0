import { DatabaseError } from 'pg'

import { Unavailable } from '../errors.ts'

const UNIQUE_VIOLATION = '23505'
const QUERY_CANCELED = '57014'

/** SQLSTATEs after which the same statement may succeed a moment later. */
const TRANSIENT_STATES = new Set([
  '25006', // read_only_sql_transaction: a standby after a failover
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  QUERY_CANCELED, // the statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
])
/** Connection exceptions, and insufficient resources (connections, disk, memory). */
const TRANSIENT_CLASSES = ['08', '53']

/** A transaction that failed with one of these has no effects and should be run again. */
const CONTENTION_STATES = new Set(['40001', '40P01'])

const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Errors of the driver itself, which have no code. */
const DRIVER_MESSAGES = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
])

/** Returns the violated constraint's name if the error is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION
    ? error.constraint
    : undefined
}

/**
 * Whether the database was unavailable (lost connection, timeout, contention), rather than the
 * query invalid.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    const state = error.code ?? ''
    return (
      TRANSIENT_STATES.has(state) || TRANSIENT_CLASSES.some((prefix) => state.startsWith(prefix))
    )
  }
  if (!(error instanceof Error)) return false
  if (error instanceof Unavailable) return isTransient(error.cause)
  return (
    ('code' in error && NETWORK_CODES.has(String(error.code))) || DRIVER_MESSAGES.has(error.message)
  )
}

/** Whether a transaction failed because of a concurrent one, and can be run again as a whole. */
export function isContention(error: unknown): boolean {
  const original = error instanceof Unavailable ? error.cause : error
  return original instanceof DatabaseError && CONTENTION_STATES.has(original.code ?? '')
}

/** Whether a statement was canceled because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  const original = error instanceof Unavailable ? error.cause : error
  return original instanceof DatabaseError && original.code === QUERY_CANCELED
}

/** Maps transient errors to `Unavailable`. Applied to the errors of all queries of a `Database`. */
export function mapDatabaseError(error: unknown): unknown {
  if (error instanceof Unavailable || !isTransient(error)) return error
  return new Unavailable('database_unavailable', 'the database is unavailable; retry later', {
    cause: error,
    retryAfterMs: 1_000,
  })
}
