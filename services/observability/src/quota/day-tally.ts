import type { AccountDay } from '../db/span-usage.ts'

/** The spans of one account on one day, as one replica knows them. */
export class DayTally {
  readonly accountDay: AccountDay
  /** The count in the database when it was last read. */
  #stored = 0
  #readAt = -Infinity
  #reading: Promise<void> | undefined
  /** The new spans that the database lacks; negative if it has spans that were given back. */
  pending = 0
  /** When a sender was last warned, in milliseconds since 1970. */
  warnedAt = -Infinity

  constructor(accountDay: AccountDay) {
    this.accountDay = accountDay
  }

  /** All spans of the account on the day. */
  get total(): number {
    return this.#stored + this.pending
  }

  /** Reads the count again if it is older than `freshMs`; concurrent calls share one read. */
  async refresh(freshMs: number, read: () => Promise<number>): Promise<void> {
    if (performance.now() - this.#readAt < freshMs) return
    this.#reading ??= (async () => {
      // The count only grows, and a failed read returns 0.
      this.#stored = Math.max(this.#stored, await read())
      this.#readAt = performance.now()
      this.#reading = undefined
    })()
    await this.#reading
  }

  /** The database has added `added` of the pending spans, which makes `sum`. */
  stored(sum: number, added: number): void {
    this.#stored = sum
    this.#readAt = performance.now()
    this.pending -= added
  }

  /** Whether nothing is lost if the tally is forgotten. */
  isIdle(freshMs: number): boolean {
    const isFresh = performance.now() - this.#readAt < freshMs
    return this.pending === 0 && this.#reading === undefined && !isFresh
  }
}
