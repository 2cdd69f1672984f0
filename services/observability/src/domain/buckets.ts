import { invalidField } from '@slipway/shared/errors'

import { FIRST_NS, type TraceRange } from './trace-range.ts'

const NS_PER_MINUTE = 60_000_000_000n
const DEFAULT_INTERVAL_MINUTES = 60
const MAX_INTERVAL_MINUTES = 44_640
const MAX_BUCKETS = 5_000n
/** Each of up to 21 groups has them. */
const MAX_GROUP_BUCKETS = 500n

/** A range of buckets: intervals of equal length, numbered from 1970. */
export interface BucketRange {
  readonly intervalMinutes: number
  readonly intervalNs: bigint
  readonly first: number
  readonly last: number
}

/**
 * Returns the buckets that overlap a range; an interval of 0 means an hour. Fewer are allowed if
 * groups have buckets too. Throws InvalidInput for an interval out of bounds, and for a range of
 * too many buckets.
 */
export function bucketsOf(
  { startNs, endNs }: TraceRange,
  requestedMinutes: number,
  hasGroupBuckets = false,
): BucketRange {
  const intervalMinutes = requestedMinutes === 0 ? DEFAULT_INTERVAL_MINUTES : requestedMinutes
  if (intervalMinutes < 1 || intervalMinutes > MAX_INTERVAL_MINUTES) {
    throw invalidField('interval_minutes', `must be from 1 to ${MAX_INTERVAL_MINUTES}`)
  }
  const intervalNs = BigInt(intervalMinutes) * NS_PER_MINUTE
  const first = floorDivide(startNs, intervalNs)
  const last = floorDivide(endNs - 1n, intervalNs)
  const most = hasGroupBuckets ? MAX_GROUP_BUCKETS : MAX_BUCKETS
  if (last - first + 1n > most) {
    throw invalidField(
      'interval_minutes',
      `must be larger: the range has more than ${most} buckets`,
    )
  }
  if (first * intervalNs < FIRST_NS)
    throw invalidField('range.start', 'must not be in a bucket that starts before the year 1')
  return { intervalMinutes, intervalNs, first: Number(first), last: Number(last) }
}

/** Returns when a bucket starts, in nanoseconds since 1970. */
export function bucketStart({ intervalNs }: BucketRange, bucket: number): bigint {
  return BigInt(bucket) * intervalNs
}

/** Rounds down; bigint division rounds towards zero, which is up before 1970. */
function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}
