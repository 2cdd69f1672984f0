import type { SpanOwner, StoredSpan } from '../domain/span.ts'
import { spanRows } from '../store/span-rows.ts'
import type { Reservation } from './ingest-memory.ts'
import { resolveSpans } from './resolve-spans.ts'

/**
 * The spans of a request are stored in parts of about this many bytes. Escaped as JSON, a control
 * character takes six or seven times its size, so a whole request could take a gigabyte.
 */
const PART_BYTES = 4 * 1024 * 1024
/** The maximum size of a character of a string in memory. */
const BYTES_PER_CHARACTER = 2

/** The dependencies of the parts of one request. */
export interface SpanPartsOptions {
  readonly owner: SpanOwner
  readonly nextVersion: () => number
  /** Takes the memory of a part; throws when there is none. */
  readonly memory: Pick<Reservation, 'grow' | 'shrinkBy'>
  readonly write: (rows: string) => Promise<void>
}

/** Stores the spans of one request part by part, to bound the memory that it takes. */
export class SpanParts {
  readonly #options: SpanPartsOptions
  #spans: StoredSpan[] = []
  #bytes = 0
  #storedCount = 0

  constructor(options: SpanPartsOptions) {
    this.#options = options
  }

  /** Whether the spans should be stored before others are added. */
  get isFull(): boolean {
    return this.#bytes >= PART_BYTES
  }

  /** The number of spans stored so far. */
  get storedCount(): number {
    return this.#storedCount
  }

  /** Adds a span to the current part. */
  add(span: StoredSpan): void {
    const bytes = sizeOf(span)
    this.#options.memory.grow(bytes)
    this.#bytes += bytes
    this.#spans.push(span)
  }

  /** Stores the spans added since the last call. Their rows can be larger than they are. */
  async store(): Promise<void> {
    const { owner, nextVersion, memory } = this.#options
    let rows = ''
    for (const row of spanRows(owner, resolveSpans(this.#spans), nextVersion)) {
      memory.grow(row.length * BYTES_PER_CHARACTER)
      rows += row
      if (rows.length * BYTES_PER_CHARACTER < PART_BYTES) continue
      await this.#write(rows)
      rows = ''
    }
    await this.#write(rows)
    this.#storedCount += this.#spans.length
    this.#spans = []
    memory.shrinkBy(this.#bytes)
    this.#bytes = 0
  }

  async #write(rows: string): Promise<void> {
    await this.#options.write(rows)
    this.#options.memory.shrinkBy(rows.length * BYTES_PER_CHARACTER)
  }
}

function sizeOf({ name, statusMessage, input, output, attributes, events }: StoredSpan): number {
  const texts = [name, statusMessage, input, output, attributes, events]
  return texts.reduce((sum, text) => sum + text.length * BYTES_PER_CHARACTER, 0)
}
