import { setTimeout as delay } from 'node:timers/promises'

import { ClickHouseError } from '@clickhouse/client'

import type { Blocks } from '../../store/engine.ts'

/** Maximum size of an insert, unless a single write is larger. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** Minimum time between two inserts, because each creates files that ClickHouse has to merge. */
const INTERVAL_MS = 200

/** Inserts blocks of rows; resolves when they are stored. */
export type InsertBlocks = (blocks: Blocks) => Promise<void>

type Block = Blocks[number]

interface Waiting {
  readonly block: Block
  readonly stored: PromiseWithResolvers<void>
}

/**
 * Combines writes that arrive at about the same time into one insert. Each call resolves when its
 * rows are stored, or rejects with the error of its insert.
 */
export class InsertQueue implements AsyncDisposable {
  readonly #insert: InsertBlocks
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(insert: InsertBlocks) {
    this.#insert = insert
  }

  /** Stores a block of rows. Rejects with the error of the insert. */
  async write(block: Block): Promise<void> {
    const stored = Promise.withResolvers<void>()
    this.#waiting.push({ block, stored })
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
    let bytes = 0
    const tooMany = this.#waiting.findIndex(({ block }, index) => {
      bytes += block.length
      return index > 0 && bytes > MAX_BATCH_BYTES
    })
    return this.#waiting.splice(0, tooMany === -1 ? this.#waiting.length : tooMany)
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#insert(batch.map(({ block }) => block))
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
