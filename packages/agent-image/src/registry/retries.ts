import { setTimeout as delay } from 'node:timers/promises'
import { RegistryError } from './registry-error.ts'

const ATTEMPTS = 5
const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 30_000

/**
 * Repeats an action that failed for a transient reason, with growing pauses or those that the
 * registry asks for. Ends with the reason of `signal` when it is aborted.
 */
export async function withRetries<Result>(
  action: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await action()
    } catch (error) {
      signal?.throwIfAborted()
      const isFinal = !(error instanceof RegistryError && error.isTransient)
      if (isFinal || attempt >= ATTEMPTS) throw error
      const wanted = error.retryAfterMs ?? FIRST_DELAY_MS * 2 ** (attempt - 1)
      await pause(Math.min(wanted, LONGEST_DELAY_MS), signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
