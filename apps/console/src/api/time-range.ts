const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Ranges of time that end now, by the words of the address, in milliseconds. */
export const RANGES = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
} as const

export type RangeName = keyof typeof RANGES

/** The range of pages whose address has none; it is also that of the API. */
export const DEFAULT_RANGE: RangeName = '24h'

/** Which time a page shows: up to now, or between two times (ISO 8601). */
export interface TimeSearch {
  readonly since?: RangeName
  readonly from?: string
  readonly to?: string
}

/** The start and end of a range. */
export function timesOf({ since, from, to }: TimeSearch, now = Date.now()) {
  if (from !== undefined && to !== undefined) return { start: new Date(from), end: new Date(to) }
  return { start: new Date(now - RANGES[since ?? DEFAULT_RANGE]), end: new Date(now) }
}

/** What a request needs to start at a range that ends now. */
export function startTime(since: RangeName | undefined): { readonly start_time?: string } {
  return since === undefined ? {} : { start_time: timesOf({ since }).start.toISOString() }
}
