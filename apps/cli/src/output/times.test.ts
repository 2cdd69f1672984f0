import { expect, test } from 'vitest'

import { localTime } from './times.ts'

test.each([
  ['UTC', '2026-11-22 12:00:00 UTC'],
  ['Asia/Tokyo', '2026-11-22 21:00:00 GMT+9'],
])('a local time names its zone: %s', (zone, text) => {
  expect(localTime('2026-11-22T12:00:00.123Z', zone)).toBe(text)
})

test('what is not a time stays as it is', () => {
  expect(localTime('soon')).toBe('soon')
})
