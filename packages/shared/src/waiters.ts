import type { Owner } from './tally.ts'

/** A call that waits for its turn. */
export interface Waiter<Share> {
  readonly owner: Owner
  readonly serve: (share: Share) => void
}

/** The calls of one account, the longest waiting first. */
type OfAccount<Share> = Set<Waiter<Share>>
/** Those of a user by account, the one served longest ago first. */
type OfUser<Share> = Map<string | undefined, OfAccount<Share>>

/**
 * The waiting calls of a FairQueue. Calls of the same user and account are served in order, so only
 * the first of each is ever looked at: thousands may wait.
 */
export class Waiters<Share> {
  /** By user, the one served longest ago first. */
  readonly #users = new Map<string, OfUser<Share>>()

  /** Adds a call behind all others. */
  add(waiter: Waiter<Share>): void {
    const { user, account } = waiter.owner
    const ofUser = this.#users.get(user) ?? new Map<string | undefined, OfAccount<Share>>()
    const ofAccount = ofUser.get(account) ?? new Set()
    this.#users.set(user, ofUser)
    ofUser.set(account, ofAccount)
    ofAccount.add(waiter)
  }

  /** Removes a call; returns false if it is not waiting. */
  delete(waiter: Waiter<Share>): boolean {
    const { user, account } = waiter.owner
    const ofUser = this.#users.get(user)
    const ofAccount = ofUser?.get(account)
    if (ofUser === undefined || ofAccount?.delete(waiter) !== true) return false
    if (ofAccount.size === 0) ofUser.delete(account)
    if (ofUser.size === 0) this.#users.delete(user)
    return true
  }

  /** Puts the calls of a user behind those of others, and the account behind the user's others. */
  putLast({ user, account }: Owner): void {
    const ofUser = this.#users.get(user)
    if (ofUser === undefined) return
    this.#users.delete(user)
    this.#users.set(user, ofUser)
    const ofAccount = ofUser.get(account)
    if (ofAccount === undefined) return
    ofUser.delete(account)
    ofUser.set(account, ofAccount)
  }

  /** The first call that can run and comes before all others by `compare`. */
  next(
    canRun: (owner: Owner) => boolean,
    compare: (a: Owner, b: Owner) => number,
  ): Waiter<Share> | undefined {
    let next: Waiter<Share> | undefined
    for (const ofUser of this.#users.values()) {
      for (const [first] of ofUser.values()) {
        if (first === undefined || !canRun(first.owner)) continue
        if (next === undefined || compare(first.owner, next.owner) < 0) next = first
      }
    }
    return next
  }
}
