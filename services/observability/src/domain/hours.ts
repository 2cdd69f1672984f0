import type { TraceRange } from './trace-range.ts'

/** An hour in nanoseconds. Hours are numbered from 1970. */
export const HOUR_NS = 3_600_000_000_000n

/** Returns the hour of a time. */
export function hourOf(ns: bigint): number {
  return Number(ns / HOUR_NS)
}

/** The maximum number of parts of a range that one query reads. */
export const MAX_PARTS = 4

/** Returns the hours that are in a range, wholly or partly, up to the hour `last`. */
export function hoursOver({ startNs, endNs }: TraceRange, last: number): readonly number[] {
  const first = hourOf(startNs)
  const end = Math.min(hourOf(endNs + HOUR_NS - 1n), last + 1)
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
}

/** Whether an hour is wholly in a range. */
export function isHourWithin(hour: number, { startNs, endNs }: TraceRange): boolean {
  const hourNs = BigInt(hour) * HOUR_NS
  return hourNs >= startNs && hourNs + HOUR_NS <= endNs
}

export function partOf(hour: number, { startNs, endNs }: TraceRange): TraceRange {
  const hourNs = BigInt(hour) * HOUR_NS
  return {
    startNs: hourNs > startNs ? hourNs : startNs,
    endNs: hourNs + HOUR_NS < endNs ? hourNs + HOUR_NS : endNs,
  }
}

/**
 * Joins hours to parts. If there are more than MAX_PARTS, the last ones are joined, with what is
 * between them.
 */
export function joinHours(hours: readonly number[]): readonly TraceRange[] {
  const parts: { startNs: bigint; endNs: bigint }[] = []
  for (const hour of hours.toSorted((a, b) => a - b)) {
    const startNs = BigInt(hour) * HOUR_NS
    const last = parts.at(-1)
    if (last !== undefined && (last.endNs === startNs || parts.length === MAX_PARTS))
      last.endNs = startNs + HOUR_NS
    else parts.push({ startNs, endNs: startNs + HOUR_NS })
  }
  return parts
}

/** Whether a time is in one of the parts. */
export function isTimeIn(ns: bigint, parts: readonly TraceRange[]): boolean {
  return parts.some(({ startNs, endNs }) => ns >= startNs && ns < endNs)
}

/** Returns how many hours long parts are together. */
export function hoursLong(parts: readonly TraceRange[]): number {
  return (
    Number(parts.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0n)) / Number(HOUR_NS)
  )
}
