import { setTimeout as delay } from 'node:timers/promises'

import { ClickHouseError } from '@clickhouse/client'

/** Maximum size of an insert in characters, unless a single write is larger. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024
/** Minimum time between two inserts, because each creates files that ClickHouse has to merge. */
const INTERVAL_MS = 50

/** Inserts rows; resolves when they are stored. */
export type InsertRows = (rows: string) => Promise<void>

interface Waiting {
  readonly rows: string
  readonly stored: PromiseWithResolvers<void>
}

/**
 * Combines writes that arrive at about the same time into one insert. Each call resolves when its
 * rows are stored, or rejects with the error of its insert.
 */
export class SpanWriter implements AsyncDisposable {
  readonly #insert: InsertRows
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(insert: InsertRows) {
    this.#insert = insert
  }

  /** Stores rows. Rejects with the error of the insert. */
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
      // The store may have rejected the rows of one sender: retry each sender's rows separately.
      if (batch.length > 1 && isRejection(error))
        for (const write of batch) await this.#store([write])
      else for (const { stored } of batch) stored.reject(error)
    }
  }
}

/** Whether ClickHouse responded that it rejects the rows. */
function isRejection(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error instanceof ClickHouseError || error.cause instanceof ClickHouseError)
  )
}
