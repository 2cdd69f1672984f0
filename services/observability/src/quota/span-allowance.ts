import type { DayTally } from './day-tally.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Senders are warned when this part of the limit is used. */
const WARNING_PART = 0.8
/** Exporters log each warning, so an account gets one in this time. */
const WARNING_INTERVAL_MS = 10 * 60 * 1000
/** A span with longer texts counts once for each time that it has this number of characters. */
const COUNTED_LENGTH = 16 * 1024

/** How the limit of a day applies to the spans or log records of one request. */
export class SpanAllowance implements Disposable {
  readonly #tally: DayTally
  readonly #bound: number
  readonly #nowMs: number
  readonly #onTaken: () => void
  #taken = 0

  constructor(
    tally: DayTally,
    bound: number,
    { nowMs, taken }: { nowMs: number; taken: () => void },
  ) {
    this.#tally = tally
    this.#bound = bound
    this.#nowMs = nowMs
    this.#onTaken = taken
  }

  /** Returns why no span or log record can be stored if the limit is reached. */
  findProblem(): string | undefined {
    if (this.#tally.total < this.#bound) return undefined
    return (
      `limit spans_per_day: the account has stored the ${this.#bound} spans and log records ` +
      `that it may store on one day; it can store more at ${this.#resetTime}`
    )
  }

  /**
   * Counts a span or log record with texts of a length: once for each 16 KiB of them, because the
   * limit would otherwise allow terabytes. Returns why it can't be stored if this is too much.
   */
  take(length: number): string | undefined {
    const count = Math.max(1, Math.ceil(length / COUNTED_LENGTH))
    if (this.#tally.total + count > this.#bound)
      return (
        `limit spans_per_day: of the ${this.#bound} spans and log records that the account may ` +
        `store on one day, fewer are left than this one counts, once for each 16 KiB of its ` +
        `texts; it can store more at ${this.#resetTime}`
      )
    this.#tally.pending += count
    this.#taken += count
    return undefined
  }

  /** Keeps the count, because the spans were stored. */
  keep(): void {
    this.#taken = 0
    this.#onTaken()
  }

  /** Gives back the spans that were counted but not stored. */
  [Symbol.dispose](): void {
    this.#tally.pending -= this.#taken
  }

  /** A warning for the sender if the account approaches its limit; undefined most of the time. */
  warning(): string | undefined {
    const { total } = this.#tally
    const isDue = this.#nowMs - this.#tally.warnedAt >= WARNING_INTERVAL_MS
    if (total >= this.#bound || total < this.#bound * WARNING_PART || !isDue) return undefined
    this.#tally.warnedAt = this.#nowMs
    return (
      `warning: the account has stored ${total} of the ${this.#bound} spans and log records that ` +
      `it may store on one day (limit spans_per_day); further ones are rejected then, until ` +
      this.#resetTime
    )
  }

  /** The limit as `RateLimit-*` headers. */
  get headers(): Record<string, string> {
    return {
      'ratelimit-limit': String(this.#bound),
      'ratelimit-remaining': String(Math.max(0, this.#bound - this.#tally.total)),
      'ratelimit-reset': String(Math.ceil((this.#resetMs - this.#nowMs) / 1000)),
    }
  }

  get #resetMs(): number {
    return (Math.floor(this.#nowMs / DAY_MS) + 1) * DAY_MS
  }

  get #resetTime(): string {
    return new Date(this.#resetMs).toISOString()
  }
}
