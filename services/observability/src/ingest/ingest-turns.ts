import { setImmediate } from 'node:timers/promises'

import { RateLimited } from '@slipway/shared/errors'
import { FairQueue, type FairShare, type Owner } from '@slipway/shared/fair-queue'

/** How long records are decoded before the event loop and other requests continue. */
const TURN_MS = 10
/** How many requests wait for a turn. */
const WAITING = { total: 8_000, perUser: 2_000, perAccount: 2_000 }
const RETRY_AFTER_MS = 1_000

/**
 * Lets one request be decoded at a time, and users take turns: so many requests of one user delay
 * those of others, and queries, by a few milliseconds.
 */
export class IngestTurns {
  readonly #queue = new FairQueue({
    running: { total: 1, perUser: 1, perAccount: 1 },
    waiting: WAITING,
    refusal: () =>
      new RateLimited('ingest_busy', 'too many requests wait to be stored; retry later', {
        retryAfterMs: RETRY_AFTER_MS,
      }),
  })

  /** Returns the turns of a request, which has none yet. */
  open(owner: Owner): RequestTurns {
    return new RequestTurns(this.#queue, owner)
  }
}

/** The turns of one request. */
class RequestTurns implements Disposable {
  readonly #queue: FairQueue
  readonly #owner: Owner
  #turn: FairShare | undefined
  #endsAt = 0

  constructor(queue: FairQueue, owner: Owner) {
    this.#queue = queue
    this.#owner = owner
  }

  /** Whether the turn has taken its time. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /**
   * Ends the turn, and waits for the next one and for what has arrived meanwhile. Throws
   * RateLimited when too many wait.
   */
  async next(): Promise<void> {
    this.end()
    this.#turn = await this.#queue.wait(this.#owner)
    await setImmediate()
    this.#endsAt = performance.now() + TURN_MS
  }

  /** Ends the turn. */
  end(): void {
    this.#turn?.[Symbol.dispose]()
    this.#turn = undefined
  }

  /** Ends the turn. */
  [Symbol.dispose](): void {
    this.end()
  }
}
