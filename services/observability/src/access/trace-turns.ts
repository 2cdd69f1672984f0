import { RateLimited, Unavailable } from '@slipway/shared/errors'
import { FairQueue, type Owner } from '@slipway/shared/fair-queue'

/** How many reads may wait for their turn. Further ones are rejected immediately. */
const WAITING = { total: 256, perUser: 32, perAccount: 32 }
/** Reads that take less time are free, so that an export of small traces doesn't wait. */
const FREE_MS = 20
const RETRY_AFTER_MS = 1_000

/**
 * Lets the traces of each user be read one at a time. The next one begins after as much time as the
 * last one took: a large trace keeps the event loop busy for tens of milliseconds, so that one user
 * would delay everything else.
 */
export class TraceTurns {
  readonly #now: () => number
  readonly #queue = new FairQueue({
    running: { total: Infinity, perUser: 1, perAccount: Infinity },
    waiting: WAITING,
    refusal: ({ scope, chargedMs }) => {
      const waiting = 'too many reads of traces are waiting'
      if (scope === 'total')
        return new Unavailable('trace_store_busy', `${waiting}; retry later`, {
          retryAfterMs: RETRY_AFTER_MS,
        })
      const message =
        `${waiting}: yours run one at a time, and each one begins after as much time as the one ` +
        'before it took; send fewer at a time, and retry later'
      return new RateLimited('too_many_queries', message, {
        retryAfterMs: Math.max(RETRY_AFTER_MS, chargedMs),
      })
    },
  })

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Waits for the user's turn, which ends when the result is disposed of. Throws RateLimited or
   * Unavailable when too many wait, and the reason of the signal when it fires.
   */
  async begin(owner: Owner, call: { readonly signal: AbortSignal }): Promise<Disposable> {
    const turn = await this.#queue.wait(owner, call)
    const startedAt = this.#now()
    return {
      [Symbol.dispose]: () => {
        const chargedMs = this.#now() - startedAt - FREE_MS
        if (chargedMs > 0) this.#queue.charge(owner, chargedMs)
        turn[Symbol.dispose]()
      },
    }
  }
}
