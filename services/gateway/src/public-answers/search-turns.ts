import { FairQueue } from '@slipway/shared/fair-queue'

import { HttpProblem } from '../http/problem.ts'

/** Each client network counts as a user. As many as a replica of the catalog runs. */
const RUNNING = { total: 2, perUser: 1, perAccount: 2 }
const WAITING = { total: 256, perUser: 32, perAccount: 256 }
/** A search that takes less time is free. */
const FREE_MS = 20
/** The next search begins after this many times the time that the last one took. */
const CHARGE = 4
/** The most of it that counts, so that a client that sends one after another is served. */
const MAX_COUNTED_MS = 1_000
const RETRY_AFTER_MS = 1_000

/**
 * Lets the searches and large pages of each client network be read one at a time, the next one
 * after a multiple of the time that the last one took: others need the database, too.
 */
export class SearchTurns {
  readonly #now: () => number
  readonly #queue = new FairQueue({ running: RUNNING, waiting: WAITING, refusal: tooManySearches })

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Waits for the turn of a network, which ends when the result is disposed of. Throws a 429 or 503
   * when too many wait, and the reason of the signal when it fires.
   */
  async begin(network: string, call: { readonly signal: AbortSignal }): Promise<Disposable> {
    const owner = { user: network }
    const turn = await this.#queue.wait(owner, call)
    const startedAt = this.#now()
    return {
      [Symbol.dispose]: () => {
        const tookMs = Math.min(this.#now() - startedAt, MAX_COUNTED_MS)
        if (tookMs > FREE_MS) this.#queue.charge(owner, tookMs * CHARGE)
        turn[Symbol.dispose]()
      },
    }
  }

  /** The problem of a search that has waited too long for its turn. */
  late(network: string): HttpProblem {
    return tooManySearches({ scope: 'user', chargedMs: this.#queue.chargedMs({ user: network }) })
  }
}

function tooManySearches({
  scope,
  chargedMs,
}: {
  readonly scope: 'user' | 'account' | 'total'
  readonly chargedMs: number
}): HttpProblem {
  const waiting = 'too many searches and pages with specs or readmes are waiting'
  const retryAfterMs = Math.max(RETRY_AFTER_MS, chargedMs)
  if (scope === 'total')
    return new HttpProblem(503, 'overloaded', `${waiting}; retry later`, { retryAfterMs })
  const detail =
    `${waiting}: yours are read one at a time, and each begins after ${CHARGE} times as long as ` +
    'the one before it took; send fewer, narrow them, and retry later'
  return new HttpProblem(429, 'too_many_searches', detail, { retryAfterMs })
}
