import { backoffMs, sleepOrAbort } from '@slipway/shared/waiting'

const TRIES = 4
/**
 * Retries stop after this time. A slow failure isn't caused by overload, but by a service that the
 * API server calls and that is down.
 */
const RETRY_MS = 2_000

/** Sends a request again, up to three times and for a short time, if its error `mayPass`. */
export async function retryBriefly<Result>(
  send: () => Promise<Result>,
  mayPass: (error: unknown) => boolean,
  signal?: AbortSignal,
): Promise<Result> {
  const lastTry = performance.now() + RETRY_MS
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!mayPass(error) || attempt === TRIES || performance.now() > lastTry) throw error
      await sleepOrAbort(backoffMs(attempt, { maxMs: Infinity }), signal)
    }
  }
}
