import type { Call } from '../call.ts'
import { ofReason, toConnectionError } from '../connection-error.ts'
import { ApiError, type ConnectionError } from '../errors.ts'
import type { PlannedRetry } from '../options.ts'
import { backoffMs, isTransient } from '../retry.ts'
import { wait } from '../wait.ts'

/** An agent of an account. */
export interface AgentName {
  readonly account: string
  readonly name: string
}

/** What streams need of the client. */
export interface StreamContext {
  readonly call: Call
  /** Origin of the server, for errors. */
  readonly origin: string
  readonly onRetry: ((retry: PlannedRetry) => void) | undefined
}

/** Options of every stream. */
export interface StreamOptions {
  /** Ends the stream, without an error. */
  readonly signal?: AbortSignal | undefined
  /** How long to try to continue a stream that was cut, in milliseconds; default 5 minutes. */
  readonly continueMs?: number | undefined
}

/** How a connection of a stream has ended: whether there may be more. */
export type End = 'complete' | 'interrupted'

/** One connection of a stream. */
export interface Connection<Item> {
  /** Method and URL, for `onRetry`. */
  readonly method: string
  readonly url: string
  /** Yields what arrives. Calls `onProgress` whenever the server has sent something. */
  read(onProgress: () => void, signal: AbortSignal): AsyncGenerator<Item, End>
}

const CONTINUE_MS = 300_000
const LONGEST_DELAY_MS = 30_000

/**
 * Yields the items of one connection after the other, until one is complete or the signal aborts.
 * Before the first response, errors are thrown as for other requests. Later, a stream that was cut
 * is continued as long as `continueMs` without progress allow.
 */
export async function* continued<Item>(
  context: StreamContext,
  connect: () => Connection<Item>,
  { signal, continueMs = CONTINUE_MS }: StreamOptions = {},
): AsyncGenerator<Item, void> {
  const ended = new AbortController()
  const both = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal])
  let progressAt: number | undefined
  let failures = 0
  const onProgress = (): void => {
    progressAt = performance.now()
    failures = 0
  }
  try {
    while (!both.aborted) {
      const connection = connect()
      let error: ApiError | ConnectionError
      try {
        if ((yield* connection.read(onProgress, both)) === 'complete') return
        error = ofReason('cut', context.origin)
      } catch (caught) {
        if (both.aborted) return
        error = caught instanceof ApiError ? caught : toConnectionError(caught, context.origin)
      }
      const silentMs = progressAt === undefined ? Infinity : performance.now() - progressAt
      if (!isTransient(error) || silentMs >= continueMs) throw error
      failures += 1
      const delayMs = delayOf(error, failures)
      context.onRetry?.({ method: connection.method, url: connection.url, delayMs, error })
      await wait(delayMs, both)
    }
  } catch (error) {
    if (!both.aborted) throw error
  } finally {
    ended.abort()
  }
}

function delayOf(error: ApiError | ConnectionError, failures: number): number {
  const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.min(Math.max(askedMs, backoffMs(failures)), LONGEST_DELAY_MS)
}
