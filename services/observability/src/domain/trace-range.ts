import { invalidField, Violations } from '@slipway/shared/errors'

const HOUR_MS = 60 * 60 * 1000
const DEFAULT_RANGE_MS = 24 * HOUR_MS
const NS_PER_MS = 1_000_000n

/** A half-open range of time, in nanoseconds since 1970. */
export interface TraceRange {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** The years 1 to 9999: no format of the API can tell other times. */
export const FIRST_NS = -62_135_596_800n * 1_000_000_000n
const LAST_KNOWN_NS = 253_402_300_800n * 1_000_000_000n - 1n

/**
 * The range that a request means: an unset end is now, an unset start is 24 hours before the end.
 */
export function resolveRange(
  { startNs, endNs }: { startNs: bigint | undefined; endNs: bigint | undefined },
  nowMs: number,
): TraceRange {
  const end = endNs ?? BigInt(Math.trunc(nowMs)) * NS_PER_MS
  const start = startNs ?? end - BigInt(DEFAULT_RANGE_MS) * NS_PER_MS
  if (end > LAST_KNOWN_NS) throw invalidField('range.end', 'must not be after the year 9999')
  if (start >= end) throw invalidField('range.start', 'must be before the end')
  if (start < FIRST_NS) throw invalidField('range.start', 'must not be before the year 1')
  return { startNs: start, endNs: end }
}

/** The store counts nanoseconds in 64 bits, which ends in the year 2262. */
const LAST_NS = 2n ** 63n - 1n

/** The part of the range that is kept; what is older is not shown even while it is still stored. */
export function clampToRetention(
  range: TraceRange,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): TraceRange {
  const oldestNs = BigInt(Math.trunc(nowMs) - retentionDays * 24 * HOUR_MS) * NS_PER_MS
  const between = (ns: bigint) => (ns < oldestNs ? oldestNs : ns > LAST_NS ? LAST_NS : ns)
  return { startNs: between(range.startNs), endNs: between(range.endNs) }
}

/** Whether a range is most of the time for which traces are kept. */
export function isMostOfRetention({ startNs, endNs }: TraceRange, retentionDays: number): boolean {
  return (endNs - startNs) * 2n >= BigInt(retentionDays * 24 * HOUR_MS) * NS_PER_MS
}

/** Which part of a list is wanted. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

const MAX_LIMIT = 500
const DEFAULT_LIMIT = 50
const MAX_OFFSET = 100_000

/** Checks a page; a limit of 0 means the default. */
export function resolvePage(page: Page): Page {
  const limit = page.limit === 0 ? DEFAULT_LIMIT : page.limit
  new Violations()
    .requireWithin('limit', limit, 1, MAX_LIMIT)
    .requireWithin('offset', page.offset, 0, MAX_OFFSET)
    .throwIfAny()
  return { limit, offset: page.offset }
}

const MAX_SEARCH_LENGTH = 256

/** Checks a text to search for. */
export function checkSearchText(text: string): void {
  if (text.includes('\0')) throw invalidField('query', 'must not hold NUL characters')
  // Characters, not UTF-16 units: an emoji is one.
  if (text.length <= MAX_SEARCH_LENGTH || Array.from(text).length <= MAX_SEARCH_LENGTH) return
  throw invalidField('query', `must have at most ${MAX_SEARCH_LENGTH} characters`)
}
