interface Debt {
  /** On the monotonic clock, in milliseconds. */
  paidAt: number
}

/** The users who owe time because their calls were expensive. */
export class Debts {
  readonly #onPaid: () => void
  readonly #debts = new Map<string, Debt>()

  /** `onPaid` is called when a user no longer owes anything. */
  constructor(onPaid: () => void) {
    this.#onPaid = onPaid
  }

  /** Whether a user owes time. */
  has(user: string): boolean {
    return this.#debts.has(user)
  }

  /** How much time a user owes, in milliseconds. */
  leftMs(user: string): number {
    const debt = this.#debts.get(user)
    return debt === undefined ? 0 : Math.max(0, debt.paidAt - performance.now())
  }

  /** Adds to what a user owes, which the passing time pays off. */
  add(user: string, ms: number): void {
    const debt = this.#debts.get(user)
    if (debt !== undefined) {
      debt.paidAt += ms
      return
    }
    const added = { paidAt: performance.now() + ms }
    this.#debts.set(user, added)
    this.#checkAfter(ms, user, added)
  }

  #checkAfter(ms: number, user: string, debt: Debt): void {
    setTimeout(() => {
      const leftMs = debt.paidAt - performance.now()
      if (leftMs > 0) return this.#checkAfter(leftMs, user, debt)
      this.#debts.delete(user)
      this.#onPaid()
    }, ms).unref()
  }
}
