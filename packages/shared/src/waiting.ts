import { setImmediate as afterIo, setTimeout as delay } from 'node:timers/promises'

/** Bounds of a backoff, in milliseconds. */
export interface BackoffBounds {
  /** The delay after no failure; default 100. */
  readonly firstMs?: number
  readonly maxMs: number
}

/**
 * How long to wait before the next attempt: doubles with each failure up to `maxMs`, plus or minus
 * up to half of it at random.
 */
export function backoffMs(failures: number, { firstMs = 100, maxMs }: BackoffBounds): number {
  return Math.min(firstMs * 2 ** failures, maxMs) * (0.5 + Math.random())
}

/** Waits; resolves early when the signal fires, which the caller then checks. */
export async function sleep(timeMs: number, signal: AbortSignal): Promise<void> {
  await delay(timeMs, undefined, { signal }).catch(() => {})
}

/** Waits; rejects with the signal's reason when it fires first. */
export async function sleepOrAbort(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(timeMs, undefined, signal && { signal })
  } catch (error) {
    // Node's AbortError has the reason only as its cause.
    signal?.throwIfAborted()
    throw error
  }
}

/**
 * Waits as long as `steps` times `stepMs`; rejects when the signal fires first. Time during which
 * the event loop is busy counts as one step at most, since what is waited for may have arrived
 * meanwhile. Each step ends only after the event loop has read its sockets; a timer alone would
 * fire before that.
 */
export async function sleepInSteps(
  stepMs: number,
  steps: number,
  signal?: AbortSignal,
): Promise<void> {
  const options = signal && { signal }
  for (let step = 0; step < steps; step += 1) {
    await delay(stepMs, undefined, { ...options, ref: false })
    // With a reference: without one, an idle event loop runs it only when something else happens.
    await afterIo(undefined, options)
  }
}

/** Settles like `promise`, or rejects with the signal's reason when it fires first. */
export async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
    promise.catch(() => {})
  }
}
