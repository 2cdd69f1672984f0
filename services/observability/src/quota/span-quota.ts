import type { CurrentAccountLimits, QuotaUse } from '@slipway/shared/account-limits'
import type { Logger } from '@slipway/shared/logger'
import type { Kysely } from 'kysely'

import { addSpanCounts, deleteOldSpanCounts, readSpanCount } from '../db/span-usage.ts'
import type { ObservabilitySchema } from '../db/tables.ts'
import { DayTally } from './day-tally.ts'
import { SpanAllowance } from './span-allowance.ts'

/** How often new spans are added to the counts in the database. */
const STORE_INTERVAL_MS = 5_000
/** A count that is older is read again, because other replicas may have added to it. */
const FRESH_MS = 30_000
/** A tally of an account is stored early when it has grown by this part of the limit. */
const EARLY_PART = 0.01

export interface SpanQuotaOptions {
  readonly db: Kysely<ObservabilitySchema>
  readonly limits: CurrentAccountLimits
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Bounds the spans that each account stores on a day (UTC). Replicas share the counts in Postgres,
 * to which each adds its new spans every few seconds, so an account can exceed its limit by what
 * arrives in that time. While Postgres is unreachable, each replica counts alone.
 */
export class SpanQuota implements AsyncDisposable {
  readonly #options: SpanQuotaOptions
  readonly #tallies = new Map<string, DayTally>()
  readonly #timer: NodeJS.Timeout
  #storing: Promise<void> | undefined
  #cleanedDay: string | undefined

  constructor(options: SpanQuotaOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#store(), STORE_INTERVAL_MS).unref()
  }

  /** Opens the account of a request's spans. */
  async open(accountId: string): Promise<SpanAllowance> {
    const tally = await this.#tallyOf(accountId)
    return new SpanAllowance(tally, this.#boundOf(accountId), {
      nowMs: this.#options.clock(),
      taken: () => {
        if (tally.pending >= this.#boundOf(accountId) * EARLY_PART) void this.#store()
      },
    })
  }

  /** Returns how many spans an account has stored today. Throws if Postgres is unreachable. */
  async use(accountId: string): Promise<QuotaUse> {
    await this.#store()
    const stored = await readSpanCount(this.#options.db, { accountId, day: this.#today() })
    const pending = this.#tallies.get(this.#keyOf(accountId))?.pending ?? 0
    return { limit: 'spans_per_day', used: stored + pending, bound: this.#boundOf(accountId) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#storing
    await this.#store()
  }

  #boundOf(accountId: string): number {
    return this.#options.limits.of(accountId).spans_per_day
  }

  #today(): string {
    return new Date(this.#options.clock()).toISOString().slice(0, 10)
  }

  #keyOf(accountId: string): string {
    return `${this.#today()} ${accountId}`
  }

  async #tallyOf(accountId: string): Promise<DayTally> {
    const key = this.#keyOf(accountId)
    let tally = this.#tallies.get(key)
    if (tally === undefined) {
      tally = new DayTally({ accountId, day: this.#today() })
      this.#tallies.set(key, tally)
    }
    await tally.refresh(FRESH_MS, () => this.#read(accountId))
    return tally
  }

  /** Returns the stored count; 0 if it can't be read. */
  async #read(accountId: string): Promise<number> {
    try {
      return await readSpanCount(this.#options.db, { accountId, day: this.#today() })
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'span_counts_not_read')
      return 0
    }
  }

  async #store(): Promise<void> {
    this.#storing ??= this.#storeOnce().finally(() => {
      this.#storing = undefined
    })
    await this.#storing
  }

  async #storeOnce(): Promise<void> {
    const { db, logger } = this.#options
    for (const [key, tally] of this.#tallies) if (tally.isIdle(FRESH_MS)) this.#tallies.delete(key)
    const tallies = [...this.#tallies.values()].filter(({ pending }) => pending !== 0)
    const counts = tallies.map((tally) => ({ ...tally.accountDay, spans: tally.pending }))
    try {
      if (counts.length > 0) {
        const sums = await addSpanCounts(db, counts)
        for (const [index, tally] of tallies.entries())
          tally.stored(sums[index] ?? 0, counts[index]?.spans ?? 0)
      }
      const today = this.#today()
      if (this.#cleanedDay === today) return
      await deleteOldSpanCounts(db, today)
      this.#cleanedDay = today
    } catch (error) {
      logger.warn({ err: error }, 'span_counts_not_stored')
    }
  }
}
