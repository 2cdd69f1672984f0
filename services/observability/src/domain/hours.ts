import type { TraceRange } from './trace-range.ts'

/** An hour in nanoseconds. Hours are numbered from 1970. */
export const HOUR_NS = 3_600_000_000_000n

/** The maximum number of parts of a range that one query reads. */
export const MAX_PARTS = 4

/** Returns the hours that are wholly in a range. */
export function hoursIn({ startNs, endNs }: TraceRange): readonly number[] {
  const first = Number((startNs + HOUR_NS - 1n) / HOUR_NS)
  const end = Number(endNs / HOUR_NS)
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
}

/**
 * Returns the parts of a range that are outside of some of its hours, which are sorted. If there
 * are more than MAX_PARTS, the last ones are joined, with hours between them.
 */
export function partsOutside(range: TraceRange, hours: readonly number[]): readonly TraceRange[] {
  const parts: { startNs: bigint; endNs: bigint }[] = []
  let startNs = range.startNs
  for (const hour of hours) {
    const hourNs = BigInt(hour) * HOUR_NS
    if (startNs < hourNs) parts.push({ startNs, endNs: hourNs })
    startNs = hourNs + HOUR_NS
  }
  if (startNs < range.endNs) parts.push({ startNs, endNs: range.endNs })
  const joined = parts.splice(MAX_PARTS - 1)
  const [first, last] = [joined.at(0), joined.at(-1)]
  if (first !== undefined && last !== undefined)
    parts.push({ startNs: first.startNs, endNs: last.endNs })
  return parts
}

/** Splits parts that are longer than some hours together into groups that aren't. */
export function splitParts(
  parts: readonly TraceRange[],
  maxHours: number,
): readonly (readonly TraceRange[])[] {
  if (parts.length === 0) return []
  if (hoursLong(parts) <= maxHours) return [parts]
  return parts.flatMap((part) => [...cut(part, BigInt(maxHours))].map((piece) => [piece]))
}

/** Cuts a part at whole hours. */
function* cut({ startNs, endNs }: TraceRange, hours: bigint): Iterable<TraceRange> {
  const nextNs = (startNs / HOUR_NS + hours) * HOUR_NS
  if (nextNs >= endNs) return yield { startNs, endNs }
  yield { startNs, endNs: nextNs }
  yield* cut({ startNs: nextNs, endNs }, hours)
}

/** Whether an hour is in one of the parts that `partsOutside` returned. */
export function isHourIn(hour: number, parts: readonly TraceRange[]): boolean {
  return isTimeIn(BigInt(hour) * HOUR_NS, parts)
}

/** Whether a time is in one of the parts. */
export function isTimeIn(ns: bigint, parts: readonly TraceRange[]): boolean {
  return parts.some(({ startNs, endNs }) => ns >= startNs && ns < endNs)
}

/** Returns how many hours long parts are together. */
export function hoursLong(parts: readonly TraceRange[]): number {
  return Number(parts.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0n)) / 3.6e12
}
