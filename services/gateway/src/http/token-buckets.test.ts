import { expect, test } from 'vitest'

import { TokenBuckets } from './token-buckets.ts'

function setUp(perSecond: number, burst: number, maxKeys = 100) {
  const clock = { now: 0 }
  return { clock, buckets: new TokenBuckets({ perSecond, burst }, maxKeys, () => clock.now) }
}

test('a bucket gives its burst at once, then what comes back', () => {
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

test('keys have nothing to do with each other', () => {
  const { buckets } = setUp(1, 1)
  expect(buckets.take('a').isAllowed).toBe(true)
  expect(buckets.take('b').isAllowed).toBe(true)
  expect(buckets.take('a').isAllowed).toBe(false)
})

test('a token can be given back, though never more than there was', () => {
  const { buckets } = setUp(1, 2)
  buckets.take('a')
  buckets.giveBack('a')
  buckets.giveBack('a')
  expect(buckets.take('a').remaining).toBe(1)
  buckets.giveBack('nobody')
  expect(buckets.size).toBe(1)
})

test('memory is bounded; who asks often is never forgotten', () => {
  const { buckets } = setUp(1, 2, 100)
  buckets.take('greedy')
  for (let index = 0; index < 10_000; index += 1) {
    buckets.take(`other ${index}`)
    if (index % 40 === 0) buckets.take('greedy')
  }
  expect(buckets.take('greedy').isAllowed).toBe(false)
  expect(buckets.size).toBeLessThanOrEqual(101)
})
