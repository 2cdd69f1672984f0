import { expect, test } from 'vitest'

import { bucketMinutes } from './buckets.ts'

const end = new Date('2026-11-23T12:00:00Z')
const ago = (hours: number) => new Date(end.getTime() - hours * 3_600_000)

test.each([
  [1, 60, 1],
  [24, 60, 30],
  [24, 48, 30],
  [24, 47, 60],
  [24, 14, 120],
  [168, 60, 180],
  [720, 60, 720],
  [1e5, 14, 44_640],
])('%i hours in at most %i buckets have %i minutes each', (hours, most, minutes) => {
  expect(bucketMinutes(ago(hours), end, most)).toBe(minutes)
})

test('a range that begins inside of a bucket has one more', () => {
  const later = new Date(end.getTime() + 1000)
  expect(bucketMinutes(new Date(ago(24).getTime() + 1000), later, 48)).toBe(60)
})
