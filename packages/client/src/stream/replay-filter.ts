/** A line of a log with its time. */
export interface TimedLine {
  /** The whole line, with its time and origin. */
  readonly line: string
  /** Where it is from, e.g. the container. */
  readonly origin: string
  readonly timeMs: number
}

/**
 * Finds the lines that a continued log repeats. A log is continued a window before its newest line,
 * because lines of other containers can be late, so it remembers the lines of this window.
 */
export class ReplayFilter {
  readonly #windowMs: number
  #recent: TimedLine[] = []
  /** How often each remembered line is still to be repeated. */
  #expected = new Map<string, number>()
  /** The time of the first line of each origin. What is older was not asked for. */
  readonly #firstMs = new Map<string, number>()
  #newestMs: number | undefined
  #continuedFromMs: number | undefined

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** The time of the newest line; undefined before the first. */
  get newestMs(): number | undefined {
    return this.#newestMs
  }

  /** The time from which the log must be continued; undefined before the first line. */
  get continueFromMs(): number | undefined {
    return this.#newestMs === undefined ? undefined : this.#newestMs - this.#windowMs
  }

  /** From now on, lines may be repeated. */
  restart(): void {
    this.#expected = new Map()
    for (const { line } of this.#recent)
      this.#expected.set(line, (this.#expected.get(line) ?? 0) + 1)
    this.#continuedFromMs = this.continueFromMs
  }

  /** Whether a line is new. Remembers it. */
  accept(timed: TimedLine): boolean {
    const { line, origin, timeMs } = timed
    if (this.#continuedFromMs !== undefined) {
      const firstMs = this.#firstMs.get(origin) ?? -Infinity
      if (timeMs < Math.max(this.#continuedFromMs, firstMs)) return false
    }
    const expected = this.#expected.get(line) ?? 0
    if (expected > 0) {
      this.#expected.set(line, expected - 1)
      return false
    }
    if (!this.#firstMs.has(origin)) this.#firstMs.set(origin, timeMs)
    this.#recent.push(timed)
    if (timeMs > (this.#newestMs ?? -Infinity)) this.#newestMs = timeMs
    this.#forget()
    return true
  }

  /** Forgets lines before the window, when they are the most. */
  #forget(): void {
    const fromMs = this.continueFromMs ?? -Infinity
    if ((this.#recent[this.#recent.length >> 1]?.timeMs ?? fromMs) >= fromMs) return
    this.#recent = this.#recent.filter(({ timeMs }) => timeMs >= fromMs)
  }
}
