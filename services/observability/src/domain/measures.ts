const NS_PER_MS = 1e6
const NS_PER_HOUR = 3.6e12
const NANO_USD_PER_USD = 1e9
const MAX_INT64 = 2n ** 63n - 1n

/** Converts nanoseconds to milliseconds, the API's unit of durations. */
export function toMilliseconds(ns: bigint): number {
  return Number(ns) / NS_PER_MS
}

/** Converts billionths of a US dollar to dollars, the API's unit of money. */
export function toDollars(nanoUsd: bigint): number {
  return Number(nanoUsd) / NANO_USD_PER_USD
}

/** Returns the mean duration in milliseconds; 0 if `count` is 0. */
export function meanMilliseconds(sumNs: bigint, count: number): number {
  return count === 0 ? 0 : Number(sumNs) / count / NS_PER_MS
}

/** Returns the share of `part` in `whole`, from 0 to 1; 0 if `whole` is 0. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** Returns `count` divided by the hours of the range. */
export function perHour(
  count: number,
  { startNs, endNs }: { startNs: bigint; endNs: bigint },
): number {
  return (count * NS_PER_HOUR) / Number(endNs - startNs)
}

/** Clamps a sum to the largest signed 64-bit integer, the type of counters in messages. */
export function toInt64(sum: bigint): bigint {
  return sum > MAX_INT64 ? MAX_INT64 : sum
}
