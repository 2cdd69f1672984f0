import type { PublicAnswer } from './answer.ts'

/**
 * How long an answer is given out after its making began: the safety net when nobody tells of a
 * change.
 */
const TIME_LIMIT_MS = 500

/** What a cache may keep, and for how long. */
export interface AnswerCacheSettings {
  readonly maxBytes: number
  /** 500 by default. */
  readonly timeLimitMs?: number
}

interface Entry {
  readonly answer: PublicAnswer
  readonly expiresAt: number
}

interface Fill {
  readonly startedAt: number
  readonly answer: Promise<PublicAnswer>
}

/**
 * Answers to public reads. `drop` moves the generation: all answers go, and what was being read
 * then is given to those who were waiting for it but never kept, nor given to anybody who asks
 * later. So a reader who comes after a change never sees what was before it.
 */
export class AnswerCache {
  readonly #maxBytes: number
  readonly #timeLimitMs: number
  readonly #now: () => number
  #entries = new Map<string, Entry>()
  #fills = new Map<string, Fill>()
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

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes
  }

  /** Forgets everything, including what is being read at this moment. */
  drop(): void {
    if (this.#entries.size > 0) this.#entries = new Map()
    if (this.#fills.size > 0) this.#fills = new Map()
    this.#bytes = 0
  }

  /** The answer for a key when it is at hand and fresh. */
  find(key: string): PublicAnswer | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAt > this.#now()) return entry.answer
    this.#remove(key, entry)
    return undefined
  }

  /**
   * The answer for a key; made by `make` unless that is under way. An error goes to all who wait,
   * and is not kept.
   */
  async load(key: string, make: () => Promise<PublicAnswer>): Promise<PublicAnswer> {
    const known = this.find(key)
    if (known !== undefined) return known
    const running = this.#fills.get(key)
    // What a fill that began long ago brings could be older than the time limit allows.
    if (running !== undefined && this.#now() - running.startedAt < this.#timeLimitMs / 2)
      return await running.answer
    return await this.#fill(key, make)
  }

  async #fill(key: string, make: () => Promise<PublicAnswer>): Promise<PublicAnswer> {
    const startedAt = this.#now()
    const fills = this.#fills
    const fill: Fill = { startedAt, answer: make() }
    fills.set(key, fill)
    try {
      const answer = await fill.answer
      // Another map: the generation has moved. Another fill: a younger one has taken this one's
      // place.
      if (this.#fills === fills && fills.get(key) === fill)
        this.#keep(key, answer, startedAt + this.#timeLimitMs)
      return answer
    } finally {
      if (fills.get(key) === fill) fills.delete(key)
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
