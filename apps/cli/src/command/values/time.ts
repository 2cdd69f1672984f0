const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|min|m|h|d|w))+$/
const PART = /(\d+(?:\.\d+)?)(ms|s|min|m|h|d|w)/g
const DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** Parses a duration like `90s`, `5m`, `1h30m` or `7d`. Returns milliseconds. */
export function parseDuration(text: string): number {
  if (!DURATION.test(text))
    throw new Error(`"${text}" is not a duration; write one like 90s, 5m, 1h30m or 7d`)
  let total = 0
  for (const [, amount, unit = ''] of text.matchAll(PART))
    total += Number(amount) * (UNITS[unit] ?? 0)
  return total
}

/** The same in whole seconds, at least one. */
export function parseSeconds(text: string): number {
  return Math.max(1, Math.round(parseDuration(text) / 1000))
}

/** Returns a function that parses a duration of whole days, from one to this many. */
export function wholeDays(max: number): (text: string) => number {
  return (text) => {
    const days = parseDuration(text) / (UNITS['d'] ?? 0)
    if (Number.isInteger(days) && days >= 1 && days <= max) return days
    throw new Error(`"${text}" is not a number of whole days from 1d to ${max}d`)
  }
}

/** Parses a time: a date like `2026-11-22` or `2026-11-22T12:00:00Z`, or how long ago it was. */
export function parseTime(text: string, now = Date.now()): Date {
  if (DURATION.test(text)) {
    const time = new Date(now - parseDuration(text))
    if (time.getTime() > 0) return time
  }
  if (DATE.test(text)) {
    const isDay = text.length === '2026-11-22'.length
    // Without a zone, a time is that of the user's clock.
    const time = new Date(isDay ? `${text}T00:00:00` : text.replace(' ', 'T'))
    if (!Number.isNaN(time.getTime())) return time
  }
  throw new Error(
    `"${text}" is not a time; write 30m or 7d for how long ago, 2026-11-22 or 2026-11-22T12:00:00Z`,
  )
}
