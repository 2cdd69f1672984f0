import { describe, expect, test } from 'vitest'

import { clampToRetention, resolveRange } from './trace-range.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const DAY_NS = 86_400_000_000_000n
const NOW_NS = BigInt(NOW_MS) * 1_000_000n

describe('resolveRange', () => {
  test.each([
    ['nothing', undefined, undefined, NOW_NS - DAY_NS, NOW_NS],
    ['the start', 5n, undefined, 5n, NOW_NS],
    ['the end', undefined, 2n * DAY_NS, DAY_NS, 2n * DAY_NS],
    ['both', 5n, 6n, 5n, 6n],
  ])('fills in the defaults when the request has %s', (_, startNs, endNs, start, end) => {
    expect(resolveRange({ startNs, endNs }, NOW_MS)).toEqual({ startNs: start, endNs: end })
  })

  test.each([
    [6n, 6n],
    [7n, 6n],
    [NOW_NS + 1n, undefined],
  ])('rejects a start that is not before the end, case %#', (startNs, endNs) => {
    expect(() => resolveRange({ startNs, endNs }, NOW_MS)).toThrow(
      'range.start must be before the end',
    )
  })
})

const FIRST_NS = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1_000_000n
const AFTER_NS = BigInt(Date.parse('+010000-01-01T00:00:00Z')) * 1_000_000n

test('resolveRange accepts only the years 1 to 9999', () => {
  const whole = { startNs: FIRST_NS, endNs: AFTER_NS - 1n }
  expect(resolveRange(whole, NOW_MS)).toEqual(whole)
  expect(() => resolveRange({ ...whole, startNs: FIRST_NS - 1n }, NOW_MS)).toThrow('range.start')
  expect(() => resolveRange({ startNs: undefined, endNs: FIRST_NS + 1n }, NOW_MS)).toThrow(
    'range.start',
  )
  expect(() => resolveRange({ startNs: undefined, endNs: AFTER_NS }, NOW_MS)).toThrow('range.end')
})

describe('clampToRetention', () => {
  test('clamps to the retention and to the times that the store can hold', () => {
    const clamped = clampToRetention(
      { startNs: 0n, endNs: 10n ** 21n },
      { nowMs: NOW_MS, retentionDays: 30 },
    )
    expect(clamped).toEqual({ startNs: NOW_NS - 30n * DAY_NS, endNs: 2n ** 63n - 1n })
  })
})
