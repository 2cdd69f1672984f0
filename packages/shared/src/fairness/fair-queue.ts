import { Debts } from './debts.ts'
import { Tally, type Bounds, type Excess, type Owner } from './tally.ts'
import { Waiters, type Waiter } from './waiters.ts'

export type { Bounds, Owner } from './tally.ts'

/** The bound that a call would exceed. */
export interface Full extends Excess {
  /** Whether too many wait. Otherwise, too much is running. */
  readonly isWaiting: boolean
  /** For how long the user's calls must still wait because of earlier ones, in milliseconds. */
  readonly chargedMs: number
}

export interface FairQueueOptions {
  /** How many units may be taken: calls, or bytes. */
  readonly running: Bounds
  /** How many calls may wait; none by default. */
  readonly waiting?: Bounds
  /** Returns the error for the caller. */
  readonly refusal: (full: Full) => Error
}

/** The units of one call. Disposing of it releases all of them. */
export interface FairShare extends Disposable {
  /** Takes more units. Throws the refusal if a bound would be exceeded. */
  grow(units: number): void
  /** Releases some of the units. */
  shrinkBy(units: number): void
  /** Releases the units beyond `units`. */
  shrinkTo(units: number): void
}

const NONE: Bounds = { total: 0, perUser: 0, perAccount: 0 }

/**
 * Bounds what runs at the same time, in total, for each user and for each account. Users take
 * turns: a free unit goes to the waiting user who has the fewest, and among those to the one whose
 * count has been that low for the longest time. The accounts of one user take turns, too. Expensive
 * calls can be charged for: until the time is over, further calls of their user wait.
 */
export class FairQueue {
  readonly #refusal: FairQueueOptions['refusal']
  readonly #running: Tally
  readonly #waiting: Tally
  /** No waiter can be served now. */
  readonly #waiters = new Waiters<FairShare>()
  readonly #debts = new Debts(() => this.#serveWaiters())

  constructor({ running, waiting = NONE, refusal }: FairQueueOptions) {
    this.#refusal = refusal
    this.#running = new Tally(running)
    this.#waiting = new Tally(waiting)
  }

  /** Returns a share without units. */
  open(owner: Owner): FairShare {
    let held = 0
    const change = (units: number): void => {
      if (units > 0) this.#require(this.#running, owner, units, { isFirst: held === 0 })
      this.#running.change(owner, units, Number(held + units > 0) - Number(held > 0))
      this.#waiters.setUnits(owner.user, this.#running.unitsOf(owner.user))
      held += units
      if (units < 0) this.#serveWaiters()
    }
    const shrinkBy = (units: number): void => {
      if (held > 0) change(-Math.min(units, held))
    }
    const shrinkTo = (units: number): void => shrinkBy(Math.max(0, held - units))
    return { grow: change, shrinkBy, shrinkTo, [Symbol.dispose]: () => shrinkTo(0) }
  }

  /** Takes units without waiting. Throws the refusal if a bound would be exceeded. */
  take(owner: Owner, units = 1): FairShare {
    const share = this.open(owner)
    share.grow(units)
    return share
  }

  /** Charges a user for a call: those that `wait` begin when this time is over. */
  charge({ user }: Owner, ms: number): void {
    this.#debts.add(user, ms)
  }

  /** For how long the calls of a user must still wait because of charges, in milliseconds. */
  chargedMs({ user }: Owner): number {
    return this.#debts.leftMs(user)
  }

  /**
   * Takes one unit when it is the owner's turn. Rejects with the refusal when too many wait, and
   * with the signal's reason when it fires first. Reads the signal only if the call must wait.
   * Thousands of calls must not wait with the same signal: each compares itself with all others.
   */
  async wait(owner: Owner, call?: { readonly signal: AbortSignal }): Promise<FairShare> {
    const mustWait =
      this.#debts.has(owner.user) || this.#running.excessOf(owner, 1, { isFirst: true })
    if (!mustWait) return this.take(owner)
    const signal = call?.signal
    signal?.throwIfAborted()
    this.#require(this.#waiting, owner, 1, { isFirst: true })
    const { promise, resolve, reject } = Promise.withResolvers<FairShare>()
    const waiter: Waiter<FairShare> = { owner, serve: resolve }
    const onAbort = (): void => {
      if (this.#remove(waiter)) reject(signal?.reason)
    }
    this.#waiters.add(waiter, this.#running.unitsOf(owner.user))
    this.#waiting.change(owner, 1, 1)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #require(tally: Tally, owner: Owner, units: number, share: { isFirst: boolean }): void {
    const excess = tally.excessOf(owner, units, share)
    if (excess === undefined) return
    const isWaiting = tally === this.#waiting
    throw this.#refusal({ ...excess, isWaiting, chargedMs: this.chargedMs(owner) })
  }

  #serveWaiters(): void {
    const excessOf = (owner: Owner) => this.#running.excessOf(owner, 1, { isFirst: true })
    const isInDebt = (user: string) => this.#debts.has(user)
    for (;;) {
      const next = this.#waiters.next(excessOf, isInDebt)
      if (next === undefined) return
      const { owner, serve } = next
      this.#remove(next)
      this.#waiters.putLast(owner)
      serve(this.take(owner))
    }
  }

  #remove(waiter: Waiter<FairShare>): boolean {
    const isWaiting = this.#waiters.delete(waiter)
    if (isWaiting) this.#waiting.change(waiter.owner, -1, -1)
    return isWaiting
  }
}
