import type { LogEntry } from './result.ts'

/** Where the last lines of a log begin. */
export interface LogStart {
  readonly index: number
  readonly time: string
  /** Earlier entries with the same time. */
  readonly ties: number
}

/**
 * Finds the first of the last `most` lines of a merged log, which has events between its lines.
 * Undefined if it has no more lines than that.
 */
export function startOfLast(entries: readonly LogEntry[], most: number): LogStart | undefined {
  const lines = entries.flatMap(({ kind }, index) => (kind === 'line' ? [index] : []))
  if (lines.length <= most) return undefined
  const index = lines.at(-most) ?? 0
  const time = entries[index]?.time ?? ''
  const ties = entries.slice(0, index).filter((entry) => entry.time === time).length
  return { index, time, ties }
}

/** Returns a function that says of the entries of the same log whether they are before a start. */
export function isBefore({ time, ties }: LogStart): (entry: LogEntry) => boolean {
  let left = ties
  return (entry) => {
    if (entry.time !== time) return entry.time < time
    left -= 1
    return left >= 0
  }
}
