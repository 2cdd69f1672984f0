import { expect, test } from 'vitest'

import { LogRate } from './log-rate.ts'

function setUp() {
  const clock = { now: 0 }
  const rate = new LogRate({ bytesPerSecond: 100, burstBytes: 500 }, () => clock.now)
  return { clock, rate }
}

test('delays what a user reads beyond the burst, over all of their streams', () => {
  const { clock, rate } = setUp()
  expect(rate.delayOf('a', 500)).toBe(0)
  // Two streams.
  expect([rate.delayOf('a', 100), rate.delayOf('a', 100)]).toEqual([1000, 2000])
  expect(rate.delayOf('b', 500)).toBe(0)
  clock.now = 2000
  expect(rate.delayOf('a', 0)).toBe(0)
  expect(rate.delayOf('a', 50)).toBe(500)
})

test('allows a burst again after a pause, and then forgets the user', () => {
  const { clock, rate } = setUp()
  rate.delayOf('a', 700)
  rate.delayOf('b', 100)
  clock.now = 6999
  rate.delayOf('c', 1)
  expect(rate.users).toBe(3)
  clock.now = 7000
  expect(rate.delayOf('d', 500)).toBe(0)
  expect(rate.users).toBe(2)
  expect(rate.delayOf('a', 500)).toBe(0)
})

test('stops waiting when the stream ends', async () => {
  const { rate } = setUp()
  const ended = AbortSignal.abort(new Error('ended'))
  await expect(rate.wait('a', 10_000, ended)).rejects.toThrow('ended')
})
