interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

// The bounds of Kubernetes' parser, which doesn't accept 7 for Sunday.
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MAX_LENGTH = 256

/**
 * Returns the problem with a cron schedule; undefined if it is valid. The grammar is that of
 * Kubernetes' CronJobs without macros and time zones: five fields of `*`, numbers, names, ranges,
 * lists and steps.
 */
export function cronProblem(text: string): string | undefined {
  if (text.trim() === '') return 'a cron schedule is required, for example 30 6 * * 1-5'
  if (text.length > MAX_LENGTH) return `a cron schedule can have at most ${MAX_LENGTH} characters`
  if (text.trim().startsWith('@')) return 'macros are not supported: write the five cron fields'
  const words = text.trim().split(/[ \t]+/)
  if (words.length !== fields.length)
    return `a cron schedule has five fields, but this one has ${words.length}`
  const sets = valuesOf(words)
  if (typeof sets === 'string') return sets
  return neverFires(sets, words) ? 'no day matches this cron schedule' : undefined
}

const DAY_MS = 24 * 60 * 60_000
/** From one 29 February to the next, around a year without one. */
const MAX_DAYS = 8 * 366

/** Returns when a cron schedule is next due after a time, in UTC; undefined if it isn't valid. */
export function nextCronTime(text: string, after: Date): Date | undefined {
  if (cronProblem(text) !== undefined) return undefined
  const words = text.trim().split(/[ \t]+/)
  const sets = valuesOf(words)
  if (typeof sets === 'string') return undefined
  const [minutes, hours, days, months, weekdays] = sets
  // As in Kubernetes: if both kinds of days are restricted, either may match.
  const isOpen = [words[2], words[4]].some((word) => /^[*?]/.test(word ?? ''))
  const earliest = after.getTime() + 1
  const midnight = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate())
  for (let day = 0; day < MAX_DAYS; day++) {
    const start = midnight + day * DAY_MS
    const date = new Date(start)
    if (!months?.has(date.getUTCMonth() + 1)) continue
    const matches = [days?.has(date.getUTCDate()), weekdays?.has(date.getUTCDay())]
    if (isOpen ? !matches.every(Boolean) : !matches.some(Boolean)) continue
    const times = [...(hours ?? [])].flatMap((hour) =>
      [...(minutes ?? [])].map((minute) => start + (hour * 60 + minute) * 60_000),
    )
    const next = times.filter((time) => time >= earliest).sort((a, b) => a - b)[0]
    if (next !== undefined) return new Date(next)
  }
  return undefined
}

function valuesOf(words: readonly string[]): Set<number>[] | string {
  const sets: Set<number>[] = []
  for (const [index, field] of fields.entries()) {
    const values = fieldValues(words[index] ?? '', field)
    if (typeof values === 'string') return `${field.name}: ${values}`
    sets.push(values)
  }
  return sets
}

function fieldValues(word: string, field: Field): Set<number> | string {
  const values = new Set<number>()
  for (const part of word.split(',')) {
    const range = rangeOf(part, field)
    if (typeof range === 'string') return range
    for (let value = range.from; value <= range.to; value += range.step) values.add(value)
  }
  return values
}

function rangeOf(part: string, field: Field): { from: number; to: number; step: number } | string {
  const [base = '', stepText, ...more] = part.split('/')
  const step = stepText === undefined ? 1 : wholeNumber(stepText)
  if (more.length > 0 || step === undefined || step < 1)
    return `${JSON.stringify(part)} has no valid step`
  if (base === '*' || base === '?') return { from: field.min, to: field.max, step }
  const [lowText = '', highText, ...rest] = base.split('-')
  const from = valueOf(lowText, field)
  const to =
    highText === undefined ? (stepText === undefined ? from : field.max) : valueOf(highText, field)
  if (rest.length > 0 || from === undefined || to === undefined)
    return `${JSON.stringify(part)} is not valid`
  if (from < field.min || to > field.max)
    return `${JSON.stringify(part)} is outside ${field.min}-${field.max}`
  if (from > to) return `${JSON.stringify(part)} ends before it begins`
  return { from, to, step }
}

function valueOf(text: string, field: Field): number | undefined {
  const named = field.names.indexOf(text.toLowerCase())
  return named >= 0 ? named + field.min : wholeNumber(text)
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined
}

// If both day of month and day of week are restricted, either may match. So a schedule can never
// match only if the day of week is unrestricted.
function neverFires(sets: readonly Set<number>[], words: readonly string[]): boolean {
  const [, , days, months] = sets
  const dayOfWeekIsOpen = /^[*?]/.test(words[4] ?? '')
  if (!days || !months || !dayOfWeekIsOpen) return false
  return ![...months].some((month) =>
    [...days].some((day) => day <= (DAYS_OF_MONTH[month - 1] ?? 0)),
  )
}
