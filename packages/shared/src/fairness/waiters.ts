import type { Excess, Owner } from './tally.ts'

/** A call that waits for its turn. */
export interface Waiter<Share> {
  readonly owner: Owner
  readonly serve: (share: Share) => void
}

/** The calls of one account, the longest waiting first. */
type OfAccount<Share> = Set<Waiter<Share>>

interface OfUser<Share> {
  /** The number of units that the user has. */
  units: number
  /** The calls by account, the account served longest ago first. */
  readonly accounts: Map<string | undefined, OfAccount<Share>>
}

/**
 * The waiting calls of a FairQueue. Users are kept by their number of units, so the next call is
 * found without looking at the others: thousands may wait.
 */
export class Waiters<Share> {
  readonly #users = new Map<string, OfUser<Share>>()
  /** The same users by their units; among equals, the next in turn is first. */
  readonly #levels = new Map<number, Set<OfUser<Share>>>()

  /** Adds a call behind those of the same user and account. `units` is what the user has. */
  add(waiter: Waiter<Share>, units: number): void {
    const { user, account } = waiter.owner
    let ofUser = this.#users.get(user)
    if (ofUser === undefined) {
      ofUser = { units, accounts: new Map() }
      this.#users.set(user, ofUser)
      this.#enterLevel(ofUser)
    }
    const ofAccount = ofUser.accounts.get(account) ?? new Set()
    ofUser.accounts.set(account, ofAccount)
    ofAccount.add(waiter)
  }

  /** Removes a call; returns false if it is not waiting. */
  delete(waiter: Waiter<Share>): boolean {
    const { user, account } = waiter.owner
    const ofUser = this.#users.get(user)
    const ofAccount = ofUser?.accounts.get(account)
    if (ofUser === undefined || ofAccount?.delete(waiter) !== true) return false
    if (ofAccount.size === 0) ofUser.accounts.delete(account)
    if (ofUser.accounts.size === 0) {
      this.#users.delete(user)
      this.#leaveLevel(ofUser)
    }
    return true
  }

  /** Changes the units of a user, who is then the last one in turn among those with as many. */
  setUnits(user: string, units: number): void {
    const ofUser = this.#users.get(user)
    if (ofUser === undefined || ofUser.units === units) return
    this.#leaveLevel(ofUser)
    ofUser.units = units
    this.#enterLevel(ofUser)
  }

  /** Puts the calls of an account behind the others of the user. */
  putLast({ user, account }: Owner): void {
    const accounts = this.#users.get(user)?.accounts
    const ofAccount = accounts?.get(account)
    if (accounts === undefined || ofAccount === undefined) return
    accounts.delete(account)
    accounts.set(account, ofAccount)
  }

  /**
   * The first call that can run, of the user with the fewest units. Passes over the calls of
   * accounts that have reached their bound, and of users in debt.
   */
  next(
    excessOf: (owner: Owner) => Excess | undefined,
    isInDebt: (user: string) => boolean,
  ): Waiter<Share> | undefined {
    for (const units of [...this.#levels.keys()].toSorted((a, b) => a - b)) {
      for (const { accounts } of this.#levels.get(units) ?? []) {
        for (const [first] of accounts.values()) {
          if (first === undefined || isInDebt(first.owner.user)) continue
          const excess = excessOf(first.owner)
          if (excess === undefined) return first
          // The users that follow have as many units or more, so they can't run either.
          if (excess.scope !== 'account') return undefined
        }
      }
    }
    return undefined
  }

  #enterLevel(ofUser: OfUser<Share>): void {
    const level = this.#levels.get(ofUser.units) ?? new Set()
    this.#levels.set(ofUser.units, level)
    level.add(ofUser)
  }

  #leaveLevel(ofUser: OfUser<Share>): void {
    const level = this.#levels.get(ofUser.units)
    level?.delete(ofUser)
    if (level?.size === 0) this.#levels.delete(ofUser.units)
  }
}
