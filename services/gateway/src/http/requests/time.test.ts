import { expect, test } from 'vitest'

import { fromTimeText } from './time.ts'

test.each([
  ['2026-01-01T00:00:00Z', 1_767_225_600n, 0],
  ['2026-01-01t02:00:00.000000001+02:00', 1_767_225_600n, 1],
  ['2026-01-01T00:00:00.1234567899Z', 1_767_225_600n, 123_456_789],
  ['1969-12-31T23:59:59.5Z', -1n, 500_000_000],
])('parses %s to the nanosecond', (text, seconds, nanos) => {
  expect(fromTimeText('start_time', text)).toMatchObject({ seconds, nanos })
})

test.each(['', 'yesterday', '2026-01-01T00:00:60Z'])('rejects %j', (text) => {
  expect(() => fromTimeText('start_time', text)).toThrow('start_time is not a valid time')
})
