import { setTimeout as delay } from 'node:timers/promises'

/** Options of waitFor. */
export interface WaitForOptions {
  /** Completes "timed out waiting for …". */
  readonly what: string
  /** Default 120 s: long enough for a busy machine, but a hang still ends. */
  readonly timeoutMs?: number
  /** Default: a tenth of the time so far, from 10 to 250 ms, since each check costs CPU time. */
  readonly intervalMs?: number
}

/** Polls until `check` returns something truthy, and returns that. An error counts as "not yet". */
export async function waitFor<Value>(
  check: () => Value | Promise<Value>,
  options: WaitForOptions,
): Promise<NonNullable<Value>> {
  const timeoutMs = options.timeoutMs ?? 120_000
  const start = performance.now()
  for (;;) {
    let cause: unknown
    try {
      const value = await check()
      if (value) return value
    } catch (error) {
      cause = error
    }
    const elapsedMs = performance.now() - start
    if (elapsedMs >= timeoutMs) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${options.what}`, { cause })
    }
    await delay(options.intervalMs ?? Math.min(Math.max(elapsedMs / 10, 10), 250))
  }
}
