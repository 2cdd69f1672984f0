import { invalidField } from '@slipway/shared/errors'

const HOUR_MS = 60 * 60 * 1000
const DEFAULT_RANGE_MS = 24 * HOUR_MS
const NS_PER_MS = 1_000_000n

/** A range of time in nanoseconds since 1970, including its start and excluding its end. */
export interface TraceRange {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** The start of year 1. Timestamps of the API range from the year 1 to 9999. */
export const FIRST_NS = -62_135_596_800n * 1_000_000_000n
const LAST_API_NS = 253_402_300_800n * 1_000_000_000n - 1n

/**
 * Fills in the defaults of a requested range: the end is now, the start 24 hours before the end.
 * Throws InvalidInput for an empty range and for times that the API can't represent.
 */
export function resolveRange(
  { startNs, endNs }: { startNs: bigint | undefined; endNs: bigint | undefined },
  nowMs: number,
): TraceRange {
  const end = endNs ?? BigInt(Math.trunc(nowMs)) * NS_PER_MS
  const start = startNs ?? end - BigInt(DEFAULT_RANGE_MS) * NS_PER_MS
  if (end > LAST_API_NS) throw invalidField('range.end', 'must not be after the year 9999')
  if (start >= end) throw invalidField('range.start', 'must be before the end')
  if (start < FIRST_NS) throw invalidField('range.start', 'must not be before the year 1')
  return { startNs: start, endNs: end }
}

/** The store has 64 bits for nanoseconds, enough until the year 2262. */
const LAST_STORED_NS = 2n ** 63n - 1n

/**
 * Clamps a range to the retention and to times that the store can hold. Older traces are not
 * shown, even while they are still stored.
 */
export function clampToRetention(
  range: TraceRange,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): TraceRange {
  const oldestNs = BigInt(Math.trunc(nowMs) - retentionDays * 24 * HOUR_MS) * NS_PER_MS
  const clamp = (ns: bigint) =>
    ns < oldestNs ? oldestNs : ns > LAST_STORED_NS ? LAST_STORED_NS : ns
  return { startNs: clamp(range.startNs), endNs: clamp(range.endNs) }
}
