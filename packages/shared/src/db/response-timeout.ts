import { sleepInSteps } from '../waiting.ts'

const STEP_MS = 1_000

/**
 * Rejects if a response of the database doesn't arrive within this many seconds. Time during which
 * the event loop is busy counts as one second at most.
 */
export async function withinSeconds<Result>(
  response: Promise<Result>,
  seconds: number,
): Promise<Result> {
  const settled = new AbortController()
  const timeout = async (): Promise<never> => {
    await sleepInSteps(STEP_MS, seconds, settled.signal)
    // The driver's message for its own timeout.
    throw new Error('Query read timeout')
  }
  try {
    return await Promise.race([response, timeout()])
  } finally {
    settled.abort()
  }
}
