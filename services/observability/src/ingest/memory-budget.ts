import { RateLimited } from '@slipway/shared/errors'

const RETRY_AFTER_MS = 1_000

/** Bounds how many bytes of requests are in memory at once. */
export class MemoryBudget {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Takes a part until it is disposed of; throws RateLimited when there isn't enough. */
  take(bytes: number): Disposable {
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw new RateLimited('ingest_busy', 'too much is being stored at once; send it again later', {
        retryAfterMs: RETRY_AFTER_MS,
      })
    }
    this.#usedBytes += bytes
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#usedBytes -= bytes
        isTaken = false
      },
    }
  }
}
