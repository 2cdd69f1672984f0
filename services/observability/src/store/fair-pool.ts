import { RateLimited, Unavailable } from '@slipway/shared/errors'

/** The maximum numbers of waiting borrowers. Further ones are rejected immediately. */
export interface QueueLimits {
  readonly perOwner: number
  readonly total: number
}

/** The queue limits for connections to ClickHouse, where each account is an owner. */
export const MAX_WAITING: QueueLimits = { perOwner: 32, total: 256 }

/** The delay after which rejected borrowers should retry. */
const RETRY_AFTER_MS = 1_000

interface Waiter<Resource> {
  readonly owner: string
  readonly take: (resource: Resource) => void
}

/**
 * Lends a fixed set of resources, each to one borrower at a time. Borrowers act on behalf of
 * owners, which are served fairly: a free resource goes to the owner with the fewest, and among
 * those to the one served longest ago. No owner gets a second resource while another waits for its
 * first. The borrowers of one owner are served in the order of their calls.
 */
export class FairPool<Resource> {
  readonly #free: Resource[]
  readonly #limits: QueueLimits
  /** The number of resources that each owner uses. */
  readonly #inUse = new Map<string, number>()
  /** The queue of each waiting owner; the owner served longest ago is first. */
  readonly #queues = new Map<string, Waiter<Resource>[]>()
  #waitingCount = 0

  constructor(resources: readonly Resource[], limits: QueueLimits) {
    this.#free = [...resources]
    this.#limits = limits
  }

  /**
   * Runs work with one of the resources, as soon as one is free. Rejects without running it when
   * the signal fires first. Throws RateLimited `too_many_queries` or Unavailable `trace_store_busy`
   * when too many borrowers wait already.
   */
  async use<Result>(
    owner: string,
    signal: AbortSignal,
    work: (resource: Resource) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted()
    const free = this.#free.shift()
    if (free !== undefined) this.#changeInUse(owner, 1)
    const resource = free ?? (await this.#wait(owner, signal))
    try {
      return await work(resource)
    } finally {
      this.#changeInUse(owner, -1)
      const next = this.#dequeue()
      if (next === undefined) this.#free.push(resource)
      else {
        this.#changeInUse(next.owner, 1)
        next.take(resource)
      }
    }
  }

  async #wait(owner: string, signal: AbortSignal): Promise<Resource> {
    const queue = this.#queues.get(owner) ?? []
    if (queue.length >= this.#limits.perOwner) {
      const message = 'too many trace queries of this account are waiting; retry later'
      throw new RateLimited('too_many_queries', message, { retryAfterMs: RETRY_AFTER_MS })
    }
    if (this.#waitingCount >= this.#limits.total) {
      const message = 'too many trace queries are waiting; retry later'
      throw new Unavailable('trace_store_busy', message, { retryAfterMs: RETRY_AFTER_MS })
    }
    const { promise, resolve, reject } = Promise.withResolvers<Resource>()
    const waiter = { owner, take: resolve }
    const onAbort = () => {
      if (this.#remove(waiter)) reject(signal.reason)
    }
    queue.push(waiter)
    this.#queues.set(owner, queue)
    this.#waitingCount += 1
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Removes and returns the next borrower; its owner becomes the one served last. */
  #dequeue(): Waiter<Resource> | undefined {
    let next: Waiter<Resource> | undefined
    for (const [owner, [first]] of this.#queues) {
      if (next === undefined || this.#inUseBy(owner) < this.#inUseBy(next.owner)) next = first
    }
    if (next === undefined) return undefined
    this.#remove(next)
    const rest = this.#queues.get(next.owner)
    if (rest !== undefined) {
      this.#queues.delete(next.owner)
      this.#queues.set(next.owner, rest)
    }
    return next
  }

  /** Removes a borrower from its queue; false if it has been served already. */
  #remove(waiter: Waiter<Resource>): boolean {
    const queue = this.#queues.get(waiter.owner) ?? []
    const index = queue.indexOf(waiter)
    if (index === -1) return false
    queue.splice(index, 1)
    this.#waitingCount -= 1
    if (queue.length === 0) this.#queues.delete(waiter.owner)
    return true
  }

  #inUseBy(owner: string): number {
    return this.#inUse.get(owner) ?? 0
  }

  #changeInUse(owner: string, change: number): void {
    const count = this.#inUseBy(owner) + change
    if (count === 0) this.#inUse.delete(owner)
    else this.#inUse.set(owner, count)
  }
}
