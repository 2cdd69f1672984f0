const NS_PER_MS = 1e6
const NS_PER_HOUR = 3.6e12
const MAX_INT64 = 2n ** 63n - 1n

/** Nanoseconds as the API tells durations. */
export function toMilliseconds(ns: bigint): number {
  return Number(ns) / NS_PER_MS
}

/** Mean duration in milliseconds; 0 without any. */
export function meanMilliseconds(sumNs: bigint, count: number): number {
  return count === 0 ? 0 : Number(sumNs) / count / NS_PER_MS
}

/** Share of `part` in `whole`, 0-1; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** How many of `count` fall on an hour of the range. */
export function perHour(
  count: number,
  { startNs, endNs }: { startNs: bigint; endNs: bigint },
): number {
  return (count * NS_PER_HOUR) / Number(endNs - startNs)
}

/** A sum as the wire takes it; one that is larger than any counter is the largest there is. */
export function toInt64(sum: bigint): bigint {
  return sum > MAX_INT64 ? MAX_INT64 : sum
}
