import { RateLimited, Unavailable } from '@slipway/shared/errors'

/** How many may wait; who comes on top is refused at once. */
export interface QueueLimits {
  readonly perOwner: number
  readonly total: number
}

/** Whoever is refused is asked to come back after this time. */
const RETRY_AFTER_MS = 1_000

interface Waiter<Thing> {
  readonly owner: string
  readonly take: (thing: Thing) => void
}

/**
 * Lends some things, each to one borrower at a time, and fairly between the owners on whose behalf
 * they are borrowed: a thing goes to the owner that has the fewest, of those to the one that was
 * served longest ago, and to each owner's borrowers in the order in which they asked. So nobody has
 * a second one while another owner waits for a first. Who gives up while waiting is passed over.
 */
export class FairPool<Thing> {
  readonly #free: Thing[]
  readonly #limits: QueueLimits
  readonly #lent = new Map<string, number>()
  /** Owners that wait, the one that was served longest ago first. No list is empty. */
  readonly #waiting = new Map<string, Waiter<Thing>[]>()
  #waitingCount = 0

  constructor(things: readonly Thing[], limits: QueueLimits) {
    this.#free = [...things]
    this.#limits = limits
  }

  /**
   * Does work with one of the things once it is free; rejects without having begun when the signal
   * fires before. Throws RateLimited `too_many_queries` or Unavailable `trace_store_busy` when too
   * many wait already.
   */
  async use<Result>(
    owner: string,
    signal: AbortSignal,
    work: (thing: Thing) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted()
    const free = this.#free.shift()
    if (free !== undefined) this.#count(owner, 1)
    const thing = free ?? (await this.#wait(owner, signal))
    try {
      return await work(thing)
    } finally {
      this.#count(owner, -1)
      const next = this.#takeNext()
      if (next === undefined) this.#free.push(thing)
      else {
        this.#count(next.owner, 1)
        next.take(thing)
      }
    }
  }

  async #wait(owner: string, signal: AbortSignal): Promise<Thing> {
    const queue = this.#waiting.get(owner) ?? []
    if (queue.length >= this.#limits.perOwner) {
      const message = 'too many questions about the traces of this account are waiting already'
      throw new RateLimited('too_many_queries', message, { retryAfterMs: RETRY_AFTER_MS })
    }
    if (this.#waitingCount >= this.#limits.total) {
      const message = 'the observability backend has too much to do'
      throw new Unavailable('trace_store_busy', message, { retryAfterMs: RETRY_AFTER_MS })
    }
    const { promise, resolve, reject } = Promise.withResolvers<Thing>()
    const waiter = { owner, take: resolve }
    const onAbort = () => {
      if (this.#remove(waiter)) reject(signal.reason)
    }
    queue.push(waiter)
    this.#waiting.set(owner, queue)
    this.#waitingCount += 1
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #takeNext(): Waiter<Thing> | undefined {
    let chosen: Waiter<Thing> | undefined
    for (const [owner, [first]] of this.#waiting) {
      if (chosen === undefined || this.#lentTo(owner) < this.#lentTo(chosen.owner)) chosen = first
    }
    if (chosen === undefined) return undefined
    this.#remove(chosen)
    const rest = this.#waiting.get(chosen.owner)
    if (rest !== undefined) {
      this.#waiting.delete(chosen.owner)
      this.#waiting.set(chosen.owner, rest)
    }
    return chosen
  }

  #remove(waiter: Waiter<Thing>): boolean {
    const queue = this.#waiting.get(waiter.owner) ?? []
    const index = queue.indexOf(waiter)
    if (index === -1) return false
    queue.splice(index, 1)
    this.#waitingCount -= 1
    if (queue.length === 0) this.#waiting.delete(waiter.owner)
    return true
  }

  #lentTo(owner: string): number {
    return this.#lent.get(owner) ?? 0
  }

  #count(owner: string, change: number): void {
    const count = this.#lentTo(owner) + change
    if (count === 0) this.#lent.delete(owner)
    else this.#lent.set(owner, count)
  }
}
