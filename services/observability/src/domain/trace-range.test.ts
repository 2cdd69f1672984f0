import { describe, expect, test } from 'vitest'

import { checkSearchText, clampToRetention, resolvePage, resolveRange } from './trace-range.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const DAY_NS = 86_400_000_000_000n
const NOW_NS = BigInt(NOW_MS) * 1_000_000n

describe('resolveRange', () => {
  test.each([
    ['nothing', undefined, undefined, NOW_NS - DAY_NS, NOW_NS],
    ['the start', 5n, undefined, 5n, NOW_NS],
    ['the end', undefined, 2n * DAY_NS, DAY_NS, 2n * DAY_NS],
    ['both', 5n, 6n, 5n, 6n],
  ])('fills in what is missing beside %s', (_, startNs, endNs, start, end) => {
    expect(resolveRange({ startNs, endNs }, NOW_MS)).toEqual({ startNs: start, endNs: end })
  })

  test.each([
    [6n, 6n],
    [7n, 6n],
    [NOW_NS + 1n, undefined],
  ])('refuses a start that is not before the end, %#', (startNs, endNs) => {
    expect(() => resolveRange({ startNs, endNs }, NOW_MS)).toThrow(
      'range.start must be before the end',
    )
  })
})

const FIRST_NS = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1_000_000n
const AFTER_NS = BigInt(Date.parse('+010000-01-01T00:00:00Z')) * 1_000_000n

test('resolveRange takes the years 1 to 9999 and no others', () => {
  const whole = { startNs: FIRST_NS, endNs: AFTER_NS - 1n }
  expect(resolveRange(whole, NOW_MS)).toEqual(whole)
  expect(() => resolveRange({ ...whole, startNs: FIRST_NS - 1n }, NOW_MS)).toThrow('range.start')
  expect(() => resolveRange({ startNs: undefined, endNs: FIRST_NS + 1n }, NOW_MS)).toThrow(
    'range.start',
  )
  expect(() => resolveRange({ startNs: undefined, endNs: AFTER_NS }, NOW_MS)).toThrow('range.end')
})

describe('clampToRetention', () => {
  test('keeps what is kept, and what the store can count', () => {
    const kept = clampToRetention(
      { startNs: 0n, endNs: 10n ** 21n },
      { nowMs: NOW_MS, retentionDays: 30 },
    )
    expect(kept).toEqual({ startNs: NOW_NS - 30n * DAY_NS, endNs: 2n ** 63n - 1n })
  })
})

describe('resolvePage', () => {
  test('takes 50 when nothing is said', () => {
    expect(resolvePage({ limit: 0, offset: 0 })).toEqual({ limit: 50, offset: 0 })
  })

  test('names every bound that is broken', () => {
    expect(() => resolvePage({ limit: 501, offset: 100_001 })).toThrow(
      expect.objectContaining({
        message: 'limit must be from 1 to 500',
        violations: [
          { field: 'limit', description: 'must be from 1 to 500' },
          { field: 'offset', description: 'must be from 0 to 100000' },
        ],
      }),
    )
  })
})

test('checkSearchText bounds the text', () => {
  expect(() => checkSearchText('x'.repeat(256))).not.toThrow()
  expect(() => checkSearchText('😀'.repeat(256))).not.toThrow()
  expect(() => checkSearchText('😀'.repeat(257))).toThrow('at most 256 characters')
  expect(() => checkSearchText('x'.repeat(257))).toThrow('at most 256 characters')
  expect(() => checkSearchText('a\0b')).toThrow('query must not hold NUL characters')
})
