import { expect, test } from 'vitest'

import { clock, localTime } from './times.ts'

test.each([
  ['UTC', '2026-11-22 12:00:00 UTC'],
  ['Asia/Tokyo', '2026-11-22 21:00:00 GMT+9'],
])('a local time names its zone: %s', (zone, text) => {
  expect(localTime('2026-11-22T12:00:00.123Z', zone)).toBe(text)
})

test('a clock shows the date of other days', () => {
  const now = Date.parse('2026-11-22T23:30:00Z')
  expect(clock('2026-11-22T12:00:00.123Z', now, 'UTC')).toBe('12:00:00')
  expect(clock('2026-11-22T12:00:00.123Z', now, 'Asia/Tokyo')).toBe('2026-11-22 21:00:00')
  expect(clock('soon')).toBe('soon')
})

test('what is not a time stays as it is', () => {
  expect(localTime('soon')).toBe('soon')
})
