import { expect, test } from 'vitest'

import { startTime, timesOf } from './time-range.ts'

const NOW = Date.parse('2026-11-24T12:00:00Z')
const hours = ({ start, end }: ReturnType<typeof timesOf>) =>
  (end.getTime() - start.getTime()) / 3_600_000

test('a range ends now, and has 24 hours by default', () => {
  expect(timesOf({}, NOW).end.getTime()).toBe(NOW)
  expect(hours(timesOf({}, NOW))).toBe(24)
  expect(hours(timesOf({ since: '7d' }, NOW))).toBe(7 * 24)
})

test('two times are a range', () => {
  const [from, to] = ['2026-11-23T10:00:00.000Z', '2026-11-23T12:00:00.000Z']
  expect(hours(timesOf({ from, to }, NOW))).toBe(2)
})

test('a request leaves its start to the server if no range was chosen', () => {
  expect(startTime(undefined)).toEqual({})
  expect(startTime('1h')).toEqual({ start_time: expect.stringMatching(/^\d{4}-.*Z$/) })
})
