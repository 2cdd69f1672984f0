import { setTimeout as delay } from 'node:timers/promises'

import type { Kind } from './parts.ts'

const TICK_MS = 5

/** How a load is sent. */
export interface Pace {
  /** Requests per second of all kinds. */
  readonly rate: number
  /** How many requests run at the same time; what would exceed it is not sent. */
  readonly maxInFlight: number
  /** Ends the load. */
  readonly signal: AbortSignal
}

/**
 * Sends requests at even intervals, whether or not earlier ones were answered, and waits for the
 * last answers. Returns how many were not sent, because too many were running.
 */
export async function sendAtPace(
  kinds: readonly Kind[],
  { rate, maxInFlight, signal }: Pace,
): Promise<number> {
  const shares = kinds.reduce((sum, { share }) => sum + share, 0)
  const clocks = kinds.map((kind, index) => ({
    kind,
    perMs: (rate * kind.share) / shares / 1000,
    // Otherwise the first requests of all kinds would coincide.
    due: index / kinds.length,
  }))
  const running = new Set<Promise<unknown>>()
  let heldBack = 0
  const failures: unknown[] = []
  let last = performance.now()
  while (!signal.aborted && failures.length === 0) {
    await delay(TICK_MS)
    const now = performance.now()
    for (const clock of clocks) {
      clock.due += clock.perMs * (now - last)
      for (; clock.due >= 1; clock.due -= 1) {
        if (running.size >= maxInFlight) {
          heldBack += 1
          continue
        }
        const sent = clock.kind
          .send()
          .catch((error: unknown) => failures.push(error))
          .finally(() => running.delete(sent))
        running.add(sent)
      }
    }
    last = now
  }
  await Promise.all(running)
  // Not of the install: its failures are counted.
  if (failures.length > 0) throw failures[0]
  return heldBack
}
