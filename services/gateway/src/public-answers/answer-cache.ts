import type { PublicAnswer } from './answer.ts'

/**
 * How long an answer is served, counted from the start of its read. This limits how stale an answer
 * can be when no event reports a change.
 */
const TIME_LIMIT_MS = 500

/** Limits of an answer cache. */
export interface AnswerCacheSettings {
  readonly maxBytes: number
  /** 500 by default. */
  readonly timeLimitMs?: number
}

interface Entry {
  readonly answer: PublicAnswer
  readonly expiresAt: number
}

interface RunningRead {
  readonly startedAt: number
  readonly answer: Promise<PublicAnswer>
}

/**
 * Caches answers to public reads. `drop` removes all answers and detaches the running reads: the
 * requests that wait for them get their answers, but the answers aren't cached, and later requests
 * don't join the reads. So a request after a change never sees an answer from before it.
 */
export class AnswerCache {
  readonly #maxBytes: number
  readonly #timeLimitMs: number
  readonly #now: () => number
  #entries = new Map<string, Entry>()
  #reads = new Map<string, RunningRead>()
  #bytes = 0

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(
    { maxBytes, timeLimitMs = TIME_LIMIT_MS }: AnswerCacheSettings,
    now: () => number = () => performance.now(),
  ) {
    this.#maxBytes = maxBytes
    this.#timeLimitMs = timeLimitMs
    this.#now = now
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** Removes all answers, and doesn't cache those that are being read now. */
  drop(): void {
    if (this.#entries.size > 0) this.#entries = new Map()
    if (this.#reads.size > 0) this.#reads = new Map()
    this.#bytes = 0
  }

  /** The answer for a key, if it is in memory and fresh. */
  find(key: string): PublicAnswer | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAt > this.#now()) return entry.answer
    this.#remove(key, entry)
    return undefined
  }

  /**
   * The answer for a key. Calls `read`, or joins a running read of that key. All waiting requests
   * get its error, which isn't cached.
   */
  async load(key: string, read: () => Promise<PublicAnswer>): Promise<PublicAnswer> {
    const known = this.find(key)
    if (known !== undefined) return known
    return await (this.running(key) ?? this.#start(key, read))
  }

  /** The running read of a key, if it may be joined. */
  running(key: string): Promise<PublicAnswer> | undefined {
    const running = this.#reads.get(key)
    // An older read could return an answer that is already too old.
    const isYoung = running !== undefined && this.#now() - running.startedAt < this.#timeLimitMs / 2
    return isYoung ? running.answer : undefined
  }

  async #start(key: string, read: () => Promise<PublicAnswer>): Promise<PublicAnswer> {
    const startedAt = this.#now()
    const reads = this.#reads
    const running: RunningRead = { startedAt, answer: read() }
    reads.set(key, running)
    try {
      const answer = await running.answer
      // A different map means that `drop` was called; a different read means that a newer one has
      // replaced this one.
      if (this.#reads === reads && reads.get(key) === running)
        this.#keep(key, answer, startedAt + this.#timeLimitMs)
      return answer
    } finally {
      if (reads.get(key) === running) reads.delete(key)
    }
  }

  #keep(key: string, answer: PublicAnswer, expiresAt: number): void {
    const old = this.#entries.get(key)
    if (old !== undefined) this.#remove(key, old)
    if (answer.weightBytes > this.#maxBytes || expiresAt <= this.#now()) return
    this.#entries.set(key, { answer, expiresAt })
    this.#bytes += answer.weightBytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes && entry.expiresAt > this.#now()) break
      this.#remove(oldest, entry)
    }
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.answer.weightBytes
  }
}
