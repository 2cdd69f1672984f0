import type { LogEntry } from './log-entry.ts'

/** How much of a source is read ahead. */
const MAX_QUEUED_BYTES = 256 * 1024
/** A source that has nothing new for this time doesn't delay the entries of others. */
const IDLE_MS = 300
/** A source that has sent nothing at all may take longer. */
const OPENING_MS = 3_000
const MAX_BATCH = 200

interface Source {
  readonly queue: LogEntry[]
  bytes: number
  isEnded: boolean
  /** When it no longer delays others, unless it has an entry. */
  idleFrom: number
  resume: (() => void) | undefined
}

/** An entry, or `undefined` to show that a source works although it has no entry yet. */
export type Entries = AsyncIterable<LogEntry | undefined>

/**
 * Merges sources whose entries are sorted by time. Slow readers slow down the sources, so that
 * little is held in memory. A source that ends with an error ends without one here.
 */
export class EntryMerger {
  readonly #sources = new Set<Source>()
  readonly #isEndless: boolean
  #wake = Promise.withResolvers<void>()

  /** An endless merger waits for further sources, and doesn't wait long for silent ones. */
  constructor({ isEndless }: { readonly isEndless: boolean }) {
    this.#isEndless = isEndless
  }

  /** Adds a source and reads it to its end. */
  async add(entries: Entries): Promise<void> {
    const source: Source = {
      queue: [],
      bytes: 0,
      isEnded: false,
      idleFrom: performance.now() + OPENING_MS,
      resume: undefined,
    }
    this.#sources.add(source)
    try {
      for await (const entry of entries) {
        source.idleFrom = performance.now() + IDLE_MS
        if (entry === undefined) continue
        source.queue.push(entry)
        source.bytes += entry.text.length
        this.#wake.resolve()
        if (source.bytes <= MAX_QUEUED_BYTES) continue
        const room = Promise.withResolvers<void>()
        source.resume = room.resolve
        await room.promise
      }
    } finally {
      source.isEnded = true
      this.#wake.resolve()
    }
  }

  /** Yields batches of sorted entries until all sources have ended, or until the signal fires. */
  async *read(signal: AbortSignal): AsyncGenerator<readonly LogEntry[]> {
    const onAbort = (): void => this.#wake.resolve()
    signal.addEventListener('abort', onAbort)
    try {
      while (!signal.aborted) {
        this.#wake = Promise.withResolvers()
        const batch = this.#takeBatch()
        if (batch.length > 0) yield batch
        else if (this.#sources.size === 0 && !this.#isEndless) return
        else await this.#wait()
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      for (const { resume } of this.#sources) resume?.()
    }
  }

  #takeBatch(): LogEntry[] {
    const batch: LogEntry[] = []
    while (batch.length < MAX_BATCH) {
      const entry = this.#takeFirst()
      if (entry === undefined) break
      batch.push(entry)
    }
    return batch
  }

  /** The oldest entry, if no source may still have an older one. */
  #takeFirst(): LogEntry | undefined {
    let first: Source | undefined
    const now = performance.now()
    for (const source of this.#sources) {
      const [entry] = source.queue
      if (entry === undefined) {
        if (source.isEnded) this.#sources.delete(source)
        else if (!this.#isEndless || source.idleFrom > now) return undefined
      } else if (first === undefined || entry.time < (first.queue[0]?.time ?? 0n)) first = source
    }
    const entry = first?.queue.shift()
    if (first === undefined || entry === undefined) return undefined
    first.bytes -= entry.text.length
    if (first.bytes <= MAX_QUEUED_BYTES / 2) first.resume?.()
    return entry
  }

  /** Waits for an entry, the end of a source, or until a silent source no longer delays others. */
  async #wait(): Promise<void> {
    const now = performance.now()
    const idleFrom = [...this.#sources]
      .filter((source) => source.queue.length === 0 && source.idleFrom > now)
      .map((source) => source.idleFrom)
    const timer =
      this.#isEndless && idleFrom.length > 0
        ? setTimeout(() => this.#wake.resolve(), Math.min(...idleFrom) - now + 1)
        : undefined
    await this.#wake.promise
    clearTimeout(timer)
  }
}
