import { setImmediate, setTimeout } from 'node:timers/promises'

const STEP_MS = 1_000

/**
 * Rejects if a response of the database doesn't arrive within this many seconds. Time during which
 * the event loop is busy counts as one second at most, since the response may have arrived
 * meanwhile. Each step ends only after the event loop has read its sockets; a timer alone would
 * fire before that.
 */
export async function withinSeconds<Result>(
  response: Promise<Result>,
  seconds: number,
): Promise<Result> {
  const settled = new AbortController()
  const { signal } = settled
  const timeout = async (): Promise<never> => {
    for (let step = 0; step < seconds; step += 1) {
      await setTimeout(STEP_MS, undefined, { signal, ref: false })
      await setImmediate(undefined, { signal, ref: false })
    }
    // The driver's message for its own timeout.
    throw new Error('Query read timeout')
  }
  try {
    return await Promise.race([response, timeout()])
  } finally {
    settled.abort()
  }
}
