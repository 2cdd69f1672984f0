const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const whole = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/
const piece = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g
const maxMs = 24 * 3_600_000
const maxLength = 32

/**
 * A duration like `10s` or `1m30s` in milliseconds; absent when it is none, not above zero or above
 * a day.
 */
export function parseDurationMs(text: string): number | undefined {
  if (text.length > maxLength || !whole.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit] of text.matchAll(piece))
    sum += Number(amount) * (unitsMs[unit ?? ''] ?? 0)
  return sum > 0 && sum <= maxMs ? sum : undefined
}

/** The whole seconds that Kubernetes takes for a duration, at least one. */
export function durationSeconds(text: string): number | undefined {
  const ms = parseDurationMs(text)
  return ms === undefined ? undefined : Math.max(1, Math.ceil(ms / 1000))
}
