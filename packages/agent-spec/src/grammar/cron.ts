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
 * Kubernetes' CronJobs, which is robfig/cron's, without macros and time zones: five fields of `*`,
 * numbers, names, ranges, lists and steps.
 */
export function cronProblem(text: string): string | undefined {
  if (text.trim() === '') return 'a cron schedule is required, for example 30 6 * * 1-5'
  if (text.length > MAX_LENGTH) return `a cron schedule can have at most ${MAX_LENGTH} characters`
  if (text.trim().startsWith('@')) return 'macros are not supported: write the five cron fields'
  const schedule = scheduleOf(text)
  if (typeof schedule === 'string') return schedule
  return fires(schedule) ? undefined : 'no day matches this cron schedule'
}

const DAY_MS = 24 * 60 * 60_000
/** From one 29 February to the next, around a year without one. */
const MAX_DAYS = 8 * 366

/** Returns when a cron schedule is next due after a time, in UTC; undefined if it isn't valid. */
export function nextCronTime(text: string, after: Date): Date | undefined {
  if (cronProblem(text) !== undefined) return undefined
  const schedule = scheduleOf(text)
  if (typeof schedule === 'string') return undefined
  const { minutes, hours, months } = schedule
  const earliest = after.getTime() + 1
  const midnight = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate())
  for (let day = 0; day < MAX_DAYS; day++) {
    const start = midnight + day * DAY_MS
    const date = new Date(start)
    if (!months.values.has(date.getUTCMonth() + 1) || !matchesDay(schedule, date)) continue
    const times = [...hours.values].flatMap((hour) =>
      [...minutes.values].map((minute) => start + (hour * 60 + minute) * 60_000),
    )
    const next = times.filter((time) => time >= earliest).sort((a, b) => a - b)[0]
    if (next !== undefined) return new Date(next)
  }
  return undefined
}

interface FieldValues {
  readonly values: ReadonlySet<number>
  /** Whether a part is any value: `*` or `?` without a step above 1. */
  readonly isOpen: boolean
}

interface Schedule {
  readonly minutes: FieldValues
  readonly hours: FieldValues
  readonly days: FieldValues
  readonly months: FieldValues
  readonly weekdays: FieldValues
}

/** As in Kubernetes: if neither kind of day is open, either may match. */
function matchesDay({ days, weekdays }: Schedule, date: Date): boolean {
  const matches = [days.values.has(date.getUTCDate()), weekdays.values.has(date.getUTCDay())]
  return days.isOpen || weekdays.isOpen ? matches.every(Boolean) : matches.some(Boolean)
}

/** Whether any minute of any year matches. */
function fires({ minutes, hours, days, months, weekdays }: Schedule): boolean {
  if (minutes.values.size === 0 || hours.values.size === 0) return false
  const hasDay = [...months.values].some((month) =>
    [...days.values].some((day) => day <= (DAYS_OF_MONTH[month - 1] ?? 0)),
  )
  if (weekdays.isOpen) return hasDay
  const hasWeekday = months.values.size > 0 && weekdays.values.size > 0
  return days.isOpen ? hasWeekday : hasDay || hasWeekday
}

/** Returns the values of each field, or the first problem. */
function scheduleOf(text: string): Schedule | string {
  const words = text.trim().split(/[ \t]+/)
  if (words.length !== fields.length)
    return `a cron schedule has five fields, but this one has ${words.length}`
  const found: FieldValues[] = []
  for (const [index, field] of fields.entries()) {
    const values = fieldValues(words[index] ?? '', field)
    if (typeof values === 'string') return `${field.name}: ${values}`
    found.push(values)
  }
  const [minutes, hours, days, months, weekdays] = found
  if (!minutes || !hours || !days || !months || !weekdays) return 'a field is missing'
  return { minutes, hours, days, months, weekdays }
}

function fieldValues(word: string, field: Field): FieldValues | string {
  const values = new Set<number>()
  let isOpen = false
  // Empty parts of a list are ignored, as Kubernetes does.
  for (const part of word.split(',').filter((each) => each !== '')) {
    const range = rangeOf(part, field)
    if (typeof range === 'string') return range
    for (let value = range.from; value <= range.to; value += range.step) values.add(value)
    isOpen ||= range.isOpen
  }
  return { values, isOpen }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly step: number
  readonly isOpen: boolean
}

function rangeOf(part: string, field: Field): Range | string {
  const [base = '', stepText, ...more] = part.split('/')
  const step = stepText === undefined ? 1 : wholeNumber(stepText)
  if (more.length > 0 || step === undefined || step < 1)
    return `${JSON.stringify(part)} has no valid step`
  const [lowText = '', highText, ...rest] = base.split('-')
  // Kubernetes ignores what follows `*-`.
  if (lowText === '*' || lowText === '?')
    return { from: field.min, to: field.max, step, isOpen: step === 1 }
  const from = valueOf(lowText, field)
  const to =
    highText === undefined ? (stepText === undefined ? from : field.max) : valueOf(highText, field)
  if (rest.length > 0 || from === undefined || to === undefined)
    return `${JSON.stringify(part)} is not valid`
  if (from < field.min || to > field.max)
    return `${JSON.stringify(part)} is outside ${field.min}-${field.max}`
  if (from > to) return `${JSON.stringify(part)} ends before it begins`
  return { from, to, step, isOpen: false }
}

function valueOf(text: string, field: Field): number | undefined {
  const named = field.names.indexOf(text.toLowerCase())
  return named >= 0 ? named + field.min : wholeNumber(text)
}

function wholeNumber(text: string): number | undefined {
  return /^\+?\d{1,15}$/.test(text) ? Number(text) : undefined
}
