import { setTimeout as delay } from 'node:timers/promises'

import { ClickHouseError } from '@clickhouse/client'

/** Enough for one insert; what comes meanwhile waits for the next. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024
/** Inserts begin this far apart, since each makes files that have to be merged later. */
const INTERVAL_MS = 50

/** Stores rows; resolves when they are stored. */
export type InsertRows = (rows: string) => Promise<void>

interface Waiting {
  readonly rows: string
  readonly stored: PromiseWithResolvers<void>
}

/**
 * Puts what arrives at about the same time into one insert. Nothing is acknowledged before it is
 * stored: each caller waits for the insert with its own rows and learns how that went.
 */
export class SpanWriter implements AsyncDisposable {
  readonly #insert: InsertRows
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(insert: InsertRows) {
    this.#insert = insert
  }

  /** Resolves when the rows are stored. */
  async write(rows: string): Promise<void> {
    if (rows === '') return
    const stored = Promise.withResolvers<void>()
    this.#waiting.push({ rows, stored })
    this.#running ??= this.#run()
    await stored.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const pause = delay(INTERVAL_MS)
      await this.#store(this.#nextBatch())
      await pause
    }
    this.#running = undefined
  }

  #nextBatch(): readonly Waiting[] {
    let length = 0
    const tooMany = this.#waiting.findIndex(({ rows }, index) => {
      length += rows.length
      return index > 0 && length > MAX_BATCH_LENGTH
    })
    return this.#waiting.splice(0, tooMany === -1 ? this.#waiting.length : tooMany)
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#insert(batch.map(({ rows }) => rows).join(''))
      for (const { stored } of batch) stored.resolve()
    } catch (error) {
      // What the store refuses may be one sender's rows: that is no reason to refuse the others'.
      if (batch.length > 1 && isRefusal(error)) for (const one of batch) await this.#store([one])
      else for (const { stored } of batch) stored.reject(error)
    }
  }
}

/** Whether the store was there and didn't want the rows. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error instanceof ClickHouseError || error.cause instanceof ClickHouseError)
  )
}
