/** How many lookups may fail in a second, after the first `BURST`. */
const PER_SECOND = 50
const BURST = 500

/** Bounds how many lookups of unknown tokens fail. */
export class LookUpBudget {
  readonly #now: () => number
  #left = BURST
  #at: number

  /** `now` is the clock, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#at = now()
  }

  /** Whether one more lookup may fail. */
  hasRoom(): boolean {
    const now = this.#now()
    const earned = (Math.max(0, now - this.#at) / 1000) * PER_SECOND
    this.#left = Math.min(BURST, this.#left + earned)
    this.#at = now
    return this.#left >= 1
  }

  /** Counts a failed lookup. */
  count(): void {
    this.#left = Math.max(0, this.#left - 1)
  }
}
