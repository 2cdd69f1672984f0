const MINUTE_MS = 60_000

/** Sizes of buckets in minutes that people know, from a minute to the API's largest, 31 days. */
const SIZES = [
  1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080, 20_160, 44_640,
] as const

/** The smallest size in minutes with which a range has at most `most` buckets. */
export function bucketMinutes(since: Date, until: Date, most: number): number {
  return SIZES.find((minutes) => bucketsIn(since, until, minutes) <= most) ?? 44_640
}

/** Buckets begin at multiples of their size since 1970. The end is not part of the range. */
function bucketsIn(since: Date, until: Date, minutes: number): number {
  const index = (ms: number) => Math.floor(ms / (minutes * MINUTE_MS))
  return index(until.getTime() - 1) - index(since.getTime()) + 1
}
