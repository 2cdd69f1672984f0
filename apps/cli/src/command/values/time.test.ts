import { expect, test } from 'vitest'

import { parseDuration, parseSeconds, parseTime, wholeDays } from './time.ts'

test.each([
  ['250ms', 250],
  ['90s', 90_000],
  ['5m', 300_000],
  ['5min', 300_000],
  ['1.5h', 5_400_000],
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['2w', 1_209_600_000],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '5', '5 m', 'm', '-5m', '5y', '1h and', '1e3s', '٣m'])(
  '"%s" is not a duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow(/is not a duration; write one like 90s/)
  },
)

const NOW = Date.parse('2026-11-23T12:00:00Z')

test.each([
  ['30m', '2026-11-23T11:30:00.000Z'],
  ['7d', '2026-11-16T12:00:00.000Z'],
  ['2026-11-22T12:00:00Z', '2026-11-22T12:00:00.000Z'],
  ['2026-11-22 12:00:00.5+02:00', '2026-11-22T10:00:00.500Z'],
])('%s is a time', (text, time) => {
  expect(parseTime(text, NOW).toISOString()).toBe(time)
})

test('times without a zone are those of the clock of the user', () => {
  expect(parseTime('2026-11-22', NOW)).toEqual(new Date(2026, 10, 22))
  expect(parseTime('2026-11-22T12:30', NOW)).toEqual(new Date(2026, 10, 22, 12, 30))
})

test.each(['', 'yesterday', '2026', '2026-13-01', '2026-11-22T25:00:00Z', '1000000w'])(
  '"%s" is not a time',
  (text) => {
    expect(() => parseTime(text, NOW)).toThrow(/is not a time; write 30m/)
  },
)

test('durations in whole seconds', () => {
  expect(['1h30m', '1500ms', '1ms'].map(parseSeconds)).toEqual([5400, 2, 1])
})

test('durations in whole days have bounds', () => {
  expect(['1d', '48h', '52w', '365d'].map(wholeDays(365))).toEqual([1, 2, 364, 365])
  for (const text of ['0d', '12h', '36h', '366d'])
    expect(() => wholeDays(365)(text)).toThrow(/is not a number of whole days from 1d to 365d/)
})
