import { expect, test } from 'vitest'

import { TokenBuckets } from './token-buckets.ts'

function setUp(perSecond: number, burst: number, maxKeys = 100) {
  const clock = { now: 0 }
  return { clock, buckets: new TokenBuckets({ perSecond, burst }, maxKeys, () => clock.now) }
}

test('allows a burst, then the refill rate', () => {
  const { clock, buckets } = setUp(10, 3)
  expect([1, 2, 3].map(() => buckets.take('a').remaining)).toEqual([2, 1, 0])
  expect(buckets.take('a')).toEqual({
    isAllowed: false,
    remaining: 0,
    fullInMs: 300,
    nextInMs: 100,
  })
  clock.now = 99
  expect(buckets.take('a').isAllowed).toBe(false)
  clock.now = 100
  expect(buckets.take('a').isAllowed).toBe(true)
  expect(buckets.take('a').isAllowed).toBe(false)
  clock.now = 60_000
  expect(buckets.take('a').remaining).toBe(2)
})

test('keeps a separate bucket per key', () => {
  const { buckets } = setUp(1, 1)
  expect(buckets.take('a').isAllowed).toBe(true)
  expect(buckets.take('b').isAllowed).toBe(true)
  expect(buckets.take('a').isAllowed).toBe(false)
})

test('takes tokens back, but never more than the burst', () => {
  const { buckets } = setUp(1, 2)
  buckets.take('a')
  buckets.giveBack('a')
  buckets.giveBack('a')
  expect(buckets.take('a').remaining).toBe(1)
  buckets.giveBack('unknown')
  expect(buckets.size).toBe(1)
})

test('bounds its memory and never forgets a busy key', () => {
  const { buckets } = setUp(1, 2, 100)
  buckets.take('busy')
  for (let index = 0; index < 10_000; index += 1) {
    buckets.take(`other ${index}`)
    if (index % 40 === 0) buckets.take('busy')
  }
  expect(buckets.take('busy').isAllowed).toBe(false)
  expect(buckets.size).toBeLessThanOrEqual(101)
})
