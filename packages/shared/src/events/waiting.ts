/** How long to wait before the next try: doubles from 100 ms to `mostMs`, give or take half. */
export function backoffMs(failures: number, mostMs: number): number {
  return Math.min(100 * 2 ** Math.min(failures, 16), mostMs) * (0.5 + Math.random())
}

/** Settles like `promise`, or rejects when `signal` fires first. */
export async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Something to sleep on that others can end early; a call while nobody sleeps ends the next sleep.
 */
export class WakeUp {
  #wake = Promise.withResolvers<void>()

  /** Ends the current sleep, or the next one. */
  wake(): void {
    this.#wake.resolve()
  }

  /** Resolves after `wake`, after `mostMs`, or when `signal` fires. */
  async sleep(mostMs: number, signal: AbortSignal): Promise<void> {
    const timer = setTimeout(() => this.wake(), mostMs)
    try {
      await orAbort(this.#wake.promise, signal)
    } catch {
      // The caller looks at its signal.
    } finally {
      clearTimeout(timer)
      this.#wake = Promise.withResolvers()
    }
  }
}
