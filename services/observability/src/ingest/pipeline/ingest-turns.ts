import { setImmediate } from 'node:timers/promises'

import { RateLimited } from '@slipway/shared/errors'
import { FairQueue, type FairShare, type Owner } from '@slipway/shared/fair-queue'

/** How long records are decoded before the event loop continues. */
const SLICE_MS = 10
/**
 * The slices of a turn. Most requests are decoded in one turn: the records of many requests that
 * are decoded in part would fill the heap, and take a quarter of the time to collect.
 */
const SLICES = 3
/** How many requests wait for a turn. */
const WAITING = { total: 8_000, perUser: 2_000, perAccount: 2_000 }
const RETRY_AFTER_MS = 1_000

/**
 * Lets one request be decoded at a time, and users take turns: many requests of one user delay
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

class RequestTurns implements Disposable {
  readonly #queue: FairQueue
  readonly #owner: Owner
  #turn: FairShare | undefined
  #slices = 0
  #sliceEndsAt = 0

  constructor(queue: FairQueue, owner: Owner) {
    this.#queue = queue
    this.#owner = owner
  }

  /** Whether the event loop should continue before another record is decoded. */
  get needsPause(): boolean {
    return performance.now() >= this.#sliceEndsAt
  }

  /** Lets the event loop continue, and other requests if the turn has taken its time. */
  async pause(): Promise<void> {
    if (this.#turn === undefined || this.#slices === SLICES) await this.next()
    else await this.#startSlice()
  }

  /**
   * Ends the turn, and waits for the next one and for what has arrived meanwhile. Throws
   * RateLimited when too many wait.
   */
  async next(): Promise<void> {
    this.end()
    this.#turn = await this.#queue.wait(this.#owner)
    this.#slices = 0
    await this.#startSlice()
  }

  end(): void {
    this.#turn?.[Symbol.dispose]()
    this.#turn = undefined
  }

  /** Ends the turn. */
  [Symbol.dispose](): void {
    this.end()
  }

  async #startSlice(): Promise<void> {
    this.#slices += 1
    await setImmediate()
    this.#sliceEndsAt = performance.now() + SLICE_MS
  }
}
