const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const DURATION = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/
const AMOUNT_AND_UNIT = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g
const MAX_MS = 24 * 3_600_000
const MAX_LENGTH = 32

/** The message for a string that `parseDurationMs` can't parse. */
export const DURATION_PROBLEM = 'must be a duration like 10s or 1m30s, at most 24h'

/**
 * Returns a duration like `10s` or `1m30s` in milliseconds; undefined if it isn't valid, not
 * greater than zero or more than a day.
 */
export function parseDurationMs(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DURATION.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit] of text.matchAll(AMOUNT_AND_UNIT))
    sum += Number(amount) * (UNITS_MS[unit ?? ''] ?? 0)
  return sum > 0 && sum <= MAX_MS ? sum : undefined
}

/** Returns a duration in whole seconds, rounded up, as Kubernetes expects it. */
export function durationSeconds(text: string): number | undefined {
  const ms = parseDurationMs(text)
  return ms === undefined ? undefined : Math.max(1, Math.ceil(ms / 1000))
}
