/** A line of a log as the page shows it. */
export interface LogLine {
  /** Differs between all lines of a log. */
  readonly id: number
  readonly time: string
  /** Pod and container; empty in the log of one container. */
  readonly origin: string
  readonly text: string
}

/** Lines that a page keeps. The oldest are dropped first. */
export const MOST_LINES = 5_000
const INTERVAL_MS = 100

/**
 * Collects lines and passes them on ten times a second at most, so that a page that follows a fast
 * log stays usable.
 */
export class LogBuffer implements Disposable {
  #lines: readonly LogLine[] = []
  #added: LogLine[] = []
  #count = 0
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #onChange: (lines: readonly LogLine[], dropped: number) => void

  constructor(onChange: (lines: readonly LogLine[], dropped: number) => void) {
    this.#onChange = onChange
  }

  /** Adds a line at the end. */
  add(line: Omit<LogLine, 'id'>): void {
    this.#count += 1
    this.#added.push({ ...line, id: this.#count })
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS)
  }

  /** Passes on what was added. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const all = [...this.#lines, ...this.#added]
    this.#added = []
    const tooMany = Math.max(0, all.length - MOST_LINES)
    this.#dropped += tooMany
    this.#lines = tooMany === 0 ? all : all.slice(tooMany)
    this.#onChange(this.#lines, this.#dropped)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
