import { describe, expect, test } from 'vitest'

import { bucketsOf, bucketStart } from './buckets.ts'
import { FIRST_NS } from './trace-range.ts'

const MINUTE_NS = 60_000_000_000n

function range(startMinute: number, endMinute: number) {
  return { startNs: BigInt(startMinute) * MINUTE_NS, endNs: BigInt(endMinute) * MINUTE_NS }
}

describe('bucketsOf', () => {
  test.each([
    [0, 60, 60, 0, 0],
    [0, 61, 60, 0, 1],
    [59, 61, 60, 0, 1],
    [60, 120, 60, 1, 1],
    [-1, 1, 60, -1, 0],
    [-60, 0, 60, -1, -1],
    [0, 10, 7, 0, 1],
  ])(
    'minutes %d to %d in intervals of %d are buckets %d to %d',
    (start, end, interval, first, last) => {
      expect(bucketsOf(range(start, end), interval)).toMatchObject({ first, last })
    },
  )

  test('defaults to an interval of an hour', () => {
    expect(bucketsOf(range(0, 60), 0).intervalMinutes).toBe(60)
  })

  test('starts buckets at multiples of the interval since 1970', () => {
    const buckets = bucketsOf(range(65, 70), 60)
    expect(bucketStart(buckets, buckets.first)).toBe(60n * MINUTE_NS)
  })

  test.each([
    ['interval_minutes', range(0, 1), -1],
    ['interval_minutes', range(0, 1), 44_641],
    ['interval_minutes must be larger', range(0, 5001), 1],
    ['range.start', { startNs: FIRST_NS, endNs: FIRST_NS + MINUTE_NS }, 44_640],
  ])('rejects %s out of bounds', (field, requested, interval) => {
    expect(() => bucketsOf(requested, interval)).toThrow(field)
  })

  test('accepts the largest number of buckets', () => {
    expect(bucketsOf(range(0, 5000), 1).last).toBe(4999)
  })
})
