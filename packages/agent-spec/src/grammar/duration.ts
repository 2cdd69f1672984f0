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

/**
 * A duration like `10s` or `1m30s` in milliseconds; absent when it is none, not above zero or above
 * a day.
 */
export function parseDurationMs(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DURATION.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit] of text.matchAll(AMOUNT_AND_UNIT))
    sum += Number(amount) * (UNITS_MS[unit ?? ''] ?? 0)
  return sum > 0 && sum <= MAX_MS ? sum : undefined
}

/** The whole seconds that Kubernetes takes for a duration, at least one. */
export function durationSeconds(text: string): number | undefined {
  const ms = parseDurationMs(text)
  return ms === undefined ? undefined : Math.max(1, Math.ceil(ms / 1000))
}
