import { setTimeout as delay } from 'node:timers/promises'

/** What to wait for, and how long. */
export interface WaitForOptions {
  /** Completes "timed out waiting for …". */
  readonly what: string
  /** Default 120 s: long enough for a busy machine, but a hang ends. */
  readonly timeoutMs?: number
  /** Default 20 ms. */
  readonly intervalMs?: number
}

/**
 * Polls until `check` returns something truthy, and returns that. A check that throws is repeated.
 */
export async function waitFor<Value>(
  check: () => Value | Promise<Value>,
  options: WaitForOptions,
): Promise<NonNullable<Value>> {
  const timeoutMs = options.timeoutMs ?? 120_000
  const deadline = performance.now() + timeoutMs
  for (;;) {
    let cause: unknown
    try {
      const value = await check()
      if (value) return value
    } catch (error) {
      cause = error
    }
    if (performance.now() >= deadline) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${options.what}`, { cause })
    }
    await delay(options.intervalMs ?? 20)
  }
}
