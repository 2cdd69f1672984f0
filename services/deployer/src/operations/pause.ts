import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits. When the signal fires first it throws the signal's own reason, not the AbortError that
 * hides it.
 */
export async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(timeMs, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
