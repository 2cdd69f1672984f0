/** On whose behalf a call runs. An account has many users, and a user may have many accounts. */
export interface Owner {
  readonly user: string
  /** Undefined: no bound of an account applies. */
  readonly account?: string | undefined
}

/** The most that all, one user and one account may have at the same time. */
export interface Bounds {
  readonly total: number
  readonly perUser: number
  readonly perAccount: number
}

/** The bound that would be exceeded. */
export interface Excess {
  readonly scope: 'user' | 'account' | 'total'
  readonly limit: number
}

/**
 * The part of the total that only a user's first call can take: whatever others do, there is room
 * for a user who has nothing running.
 */
const RESERVED_PART = 1 / 4

interface Use {
  units: number
  /** The number of calls that have units. */
  calls: number
}

const UNUSED: Readonly<Use> = { units: 0, calls: 0 }

/** Counts the units of users and accounts, and compares them with their bounds. */
export class Tally {
  readonly #bounds: Bounds
  readonly #users = new Map<string, Use>()
  readonly #accounts = new Map<string, Use>()
  #units = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /**
   * The bound that would be exceeded with more units, for a call that has none yet (`isFirst`) or
   * some; undefined if there is room.
   */
  excessOf(
    { user, account }: Owner,
    units: number,
    { isFirst }: { isFirst: boolean },
  ): Excess | undefined {
    const { total, perUser, perAccount } = this.#bounds
    const ofUser = this.#users.get(user) ?? UNUSED
    const ofAccount = (account !== undefined && this.#accounts.get(account)) || UNUSED
    if (ofUser.units + units > perUser) return { scope: 'user', limit: perUser }
    if (account !== undefined && ofAccount.units + units > perAccount)
      return { scope: 'account', limit: perAccount }
    const isOnlyCall = ofUser.calls === (isFirst ? 0 : 1)
    const limit = isOnlyCall ? total : Math.ceil(total * (1 - RESERVED_PART))
    return this.#units + units > limit ? { scope: 'total', limit } : undefined
  }

  /** Adds units and calls, or subtracts them if the numbers are negative. */
  change({ user, account }: Owner, units: number, calls: number): void {
    this.#units += units
    add(this.#users, user, units, calls)
    if (account !== undefined) add(this.#accounts, account, units, calls)
  }

  unitsOf(user: string): number {
    return (this.#users.get(user) ?? UNUSED).units
  }
}

function add(uses: Map<string, Use>, key: string, units: number, calls: number): void {
  const use = uses.get(key) ?? { ...UNUSED }
  use.units += units
  use.calls += calls
  if (use.units === 0 && use.calls === 0) uses.delete(key)
  else uses.set(key, use)
}
