import { expect, test } from 'vitest'

import { nextCronTime } from './cron.ts'

const next = (schedule: string, after = '2026-01-31T23:59:59.999Z') =>
  nextCronTime(schedule, new Date(after))?.toISOString()

test.each([
  ['* * * * *', '2026-02-01T00:00:00.000Z'],
  ['30 2 * * *', '2026-02-01T02:30:00.000Z'],
  ['*/15 9-17 * * mon-fri', '2026-02-02T09:00:00.000Z'],
  ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
  ['0 12 31 * *', '2026-03-31T12:00:00.000Z'],
  // A day of the month or a day of the week.
  ['0 0 13 * fri', '2026-02-06T00:00:00.000Z'],
  // A star with a step restricts the days as well, so either may match.
  ['0 0 */2 * 2', '2026-02-01T00:00:00.000Z'],
  ['0 0 2 * */2', '2026-02-01T00:00:00.000Z'],
  // Both, as one of them is any day.
  ['0 0 */1 * 2', '2026-02-03T00:00:00.000Z'],
  ['0 0 1,* * 2', '2026-02-03T00:00:00.000Z'],
  ['5,10 8 1 jan ?', '2027-01-01T08:05:00.000Z'],
])('%s is next due at %s', (schedule, expected) => {
  expect(next(schedule)).toBe(expected)
})

test('is later than the given time', () => {
  expect(next('0 3 * * *', '2026-01-01T02:59:59.999Z')).toBe('2026-01-01T03:00:00.000Z')
  expect(next('0 3 * * *', '2026-01-01T03:00:00.000Z')).toBe('2026-01-02T03:00:00.000Z')
  expect(next('0 0 29 2 *', '2096-03-01T00:00:00.000Z')).toBe('2104-02-29T00:00:00.000Z')
})

test('is undefined for schedules that are not valid', () => {
  expect(next('')).toBeUndefined()
  expect(next('0 0 30 2 *')).toBeUndefined()
})
