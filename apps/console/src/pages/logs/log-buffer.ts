import { beginningOf, columnsOf, type LogEntry, type LogLine } from './log-line.ts'

/** Lines that a page keeps. The oldest are dropped first. */
export const MOST_LINES = 5_000
const INTERVAL_MS = 100
const STARTS_WITH_DATE = /^\d{4}-\d\d-\d\dT/

/** Called with all lines that are kept, and the number of those that were dropped. */
export type OnLines = (lines: readonly LogLine[], dropped: number) => void

/**
 * Collects lines and passes them on ten times a second at most, so that a page that follows a fast
 * log stays usable. Lines of several pods are put in the order of their times: an event or the
 * first lines of a pod may arrive after newer lines of another one.
 */
export class LogBuffer implements Disposable {
  #lines: readonly LogLine[] = []
  #added: LogLine[] = []
  #count = 0
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastTime = ''
  readonly #onLines: OnLines
  readonly #isOfSeveralPods: boolean

  constructor(isOfSeveralPods: boolean, onLines: OnLines) {
    this.#isOfSeveralPods = isOfSeveralPods
    this.#onLines = onLines
  }

  /** Adds an entry that has arrived. */
  add(entry: LogEntry): void {
    this.#count += 1
    if (STARTS_WITH_DATE.test(entry.time)) this.#lastTime = entry.time
    // What isn't a line of the API has the place where it has arrived.
    const time = this.#isOfSeveralPods ? this.#lastTime : entry.time
    const columns = columnsOf(beginningOf(entry.text))
    this.#added.push({ ...entry, time, columns, id: this.#count })
    // The timers of a hidden page are late, and it must not hold more than others.
    if (this.#added.length === MOST_LINES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS)
  }

  /** Passes on what was added. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const all = this.#isOfSeveralPods
      ? withAdded(this.#lines, this.#added)
      : [...this.#lines, ...this.#added]
    this.#added = []
    const tooMany = Math.max(0, all.length - MOST_LINES)
    this.#dropped += tooMany
    this.#lines = tooMany === 0 ? all : all.slice(tooMany)
    this.#onLines(this.#lines, this.#dropped)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}

/**
 * Sorted lines with others, each after those that are not newer. The times of several pods all have
 * microseconds in UTC, so their texts have the same order.
 */
function withAdded(sorted: readonly LogLine[], added: readonly LogLine[]): LogLine[] {
  const [first, ...others] = added.map(({ time }) => time)
  if (first === undefined) return [...sorted]
  const earliest = others.reduce((least, time) => (time < least ? time : least), first)
  const head = sorted.findLastIndex(({ time }) => time <= earliest) + 1
  const tail = [...sorted.slice(head), ...added]
  return [...sorted.slice(0, head), ...tail.sort(byTime)]
}

function byTime({ time }: LogLine, { time: other }: LogLine): number {
  if (time === other) return 0
  return time < other ? -1 : 1
}
