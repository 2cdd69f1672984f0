import { freeBuffer } from './free-buffer.ts'
import type { Reservation } from './ingest-memory.ts'

/**
 * The records of a request are stored in batches of about this many bytes: decoded, a whole request
 * could take a hundred times its size.
 */
const BATCH_BYTES = 4 * 1024 * 1024
/** What an item takes besides its long texts. So a batch has at most 8,192 items. */
const ITEM_BYTES = 512
/** The maximum size of a character of a string in memory. */
const BYTES_PER_CHARACTER = 2

/** The dependencies of the batches of one request. */
export interface InsertBatchOptions<Item> {
  /** Returns the rows of the items of a batch. */
  readonly blockOf: (items: readonly Item[]) => Uint8Array<ArrayBuffer>
  /** Takes the memory of a batch; throws when there is none. */
  readonly memory: Pick<Reservation, 'grow' | 'shrinkBy'>
  /** Stores rows. The block is empty after it has resolved. */
  readonly write: (block: Uint8Array<ArrayBuffer>) => Promise<void>
}

/** Stores the spans or log records of one request in batches, to bound its memory. */
export class InsertBatch<Item> {
  readonly #options: InsertBatchOptions<Item>
  /** Created with the first item: an array that is much older would keep them in memory longer. */
  #items: Item[] | undefined
  #bytes = 0
  #storedCount = 0

  constructor(options: InsertBatchOptions<Item>) {
    this.#options = options
  }

  /** Whether the items should be stored before others are added. */
  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES
  }

  /** The number of items stored so far. */
  get storedCount(): number {
    return this.#storedCount
  }

  /** Adds an item with texts of a length, which make nearly all of its size. */
  add(item: Item, textLength: number): void {
    const bytes = textLength * BYTES_PER_CHARACTER + ITEM_BYTES
    this.#options.memory.grow(bytes)
    this.#bytes += bytes
    this.#items ??= []
    this.#items.push(item)
  }

  /** Stores the items added since the last call. */
  async store(): Promise<void> {
    const count = this.#items?.length ?? 0
    if (count === 0) return
    const { memory, write } = this.#options
    const block = this.#takeBlock()
    const { length } = block
    await write(block)
    freeBuffer(block)
    memory.shrinkBy(length)
    this.#storedCount += count
  }

  /** Returns the rows of the items, and releases the items, which take more memory. */
  #takeBlock(): Uint8Array<ArrayBuffer> {
    const { blockOf, memory } = this.#options
    const block = blockOf(this.#items ?? [])
    memory.grow(block.length)
    memory.shrinkBy(this.#bytes)
    this.#bytes = 0
    this.#items = undefined
    return block
  }
}
