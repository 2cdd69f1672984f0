const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** How long ago a time was, like `3 h ago`; `time` itself if it isn't a time. */
export function ago(time: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000)
  if (Number.isNaN(seconds)) return time
  return seconds < 0 ? `in ${durationOf(-seconds)}` : `${durationOf(seconds)} ago`
}

/** A duration in its largest unit, like `3 h`. */
export function durationOf(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${unit}`
}

/** The time of day of the user's clock, like `13:00:00`; with the date unless it is today's. */
export function clock(time: string, now = Date.now(), timeZone?: string): string {
  const [date = '', ofDay] = localTime(time, timeZone).split(' ')
  const [today] = localTime(new Date(now).toISOString(), timeZone).split(' ')
  return ofDay === undefined || date === today ? (ofDay ?? date) : `${date} ${ofDay}`
}

interface TimeFormats {
  readonly clock: Intl.DateTimeFormat
  readonly zone: Intl.DateTimeFormat
}

/** By time zone. Making one takes much longer than using it. */
const FORMATS = new Map<string | undefined, TimeFormats>()

/** A time of the user's clock with its zone, like `2026-11-22 13:00:00 CET`. */
export function localTime(time: string, timeZone?: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const formats = FORMATS.get(timeZone) ?? formatsOf(timeZone)
  FORMATS.set(timeZone, formats)
  const parts = formats.zone.formatToParts(date)
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value
  return `${formats.clock.format(date)} ${zone ?? ''}`.trimEnd()
}

function formatsOf(timeZone: string | undefined): TimeFormats {
  return {
    clock: new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    zone: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'short' }),
  }
}

/** Milliseconds as people write them, like `340 ms` or `1.2 s`. */
export function millis(value: number): string {
  if (value < 10) return `${value.toFixed(1)} ms`
  if (value < 1000) return `${Math.round(value)} ms`
  if (value < 60_000) return `${(value / 1000).toFixed(1)} s`
  return `${(value / 60_000).toFixed(1)} min`
}
