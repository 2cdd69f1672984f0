import { describe, expect, test } from 'vitest'

import { cronProblem } from './cron.ts'
import { durationSeconds, parseDurationMs } from './duration.ts'
import { parseQuantity } from './quantity.ts'

describe('durations', () => {
  test.each([
    ['10s', 10_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['500ms', 500],
    ['.5s', 500],
    ['24h', 86_400_000],
  ])('reads %s', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms)
  })

  test.each(['', '10', 's', '10 s', '-1s', '0s', '25h', '1d', '1e3s', `${'1s'.repeat(40)}`])(
    'rejects %j',
    (text) => {
      expect(parseDurationMs(text)).toBeUndefined()
    },
  )

  test('rounds up to whole seconds for Kubernetes', () => {
    expect([durationSeconds('1500ms'), durationSeconds('1ns')]).toEqual([2, 1])
  })
})

describe('quantities', () => {
  test.each([
    ['100m', 0.1],
    ['2', 2],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['2e3', 2000],
    ['1E', 1e18],
    ['.5', 0.5],
    ['128974848k', 128974848e3],
  ])('reads %s', (text, value) => {
    expect(parseQuantity(text)).toBeCloseTo(value)
  })

  test.each(['', '0', '-1', '1 Gi', '1GB', '1gi', 'Gi', '1e', '1e999', '0x10', '1'.repeat(33)])(
    'rejects %j',
    (text) => {
      expect(parseQuantity(text)).toBeUndefined()
    },
  )
})

describe('cron', () => {
  test.each([
    '* * * * *',
    '*/15 0-6,8 1,15 */2 mon-fri',
    '0 9 * JAN,jul ?',
    '5/10 * * * *',
    '1,,+2, * * * *',
    '59 23 31 12 6',
    '0 0 29 2 *',
    '0 0 31 2 1',
    '  0   0 * * *  ',
  ])('accepts %j', (text) => {
    expect(cronProblem(text)).toBeUndefined()
  })

  test.each([
    ['', 'required'],
    ['   ', 'required'],
    ['@daily', 'macros'],
    ['@every 5m', 'macros'],
    ['* * * *', 'five fields, but this one has 4'],
    ['0 * * * * *', 'five fields, but this one has 6'],
    ['TZ=UTC * * * * *', 'five fields'],
    ['60 * * * *', 'minute: "60" is outside 0-59'],
    ['* 24 * * *', 'hour'],
    ['* * 0 * *', 'day of month'],
    ['* * * 13 *', 'month'],
    ['* * * * 7', 'day of week: "7" is outside 0-6'],
    ['*/0 * * * *', 'step'],
    ['*/ * * * *', 'step'],
    ['1/2/3 * * * *', 'step'],
    ['5-1 * * * *', 'ends before it begins'],
    ['1-2-3 * * * *', 'is not valid'],
    ['a * * * *', 'is not valid'],
    ['-1 * * * *', 'is not valid'],
    ['L * * * *', 'is not valid'],
    ['0 0 31 2,4 *', 'no day matches'],
    ['*'.repeat(300), 'at most 256 characters'],
  ])('rejects %j', (text, problem) => {
    expect(cronProblem(text)).toContain(problem)
  })
})
