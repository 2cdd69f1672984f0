import { expect, test } from 'vitest'

import { PollBackoff } from './poll-backoff.ts'

const pollsIn = (polls: PollBackoff, fromMs: number, toMs: number) => {
  let count = 0
  for (let now = fromMs; now < toMs; now += 250) count += polls.due(new Set(['a']), now).size
  return count
}

test('polls a key less and less often, but at least every five seconds', () => {
  const polls = new PollBackoff()
  expect(pollsIn(polls, 0, 2_000)).toBe(8)
  expect(pollsIn(polls, 2_000, 60_000)).toBeLessThan(40)
  expect(pollsIn(polls, 60_000, 120_000)).toBe(12)
  expect(pollsIn(polls, 3_600_000, 3_660_000)).toBe(12)
})

test('polls a new or returning key immediately', () => {
  const polls = new PollBackoff()
  pollsIn(polls, 0, 60_000)
  expect([...polls.due(new Set(['a', 'b']), 60_010)]).toEqual(['b'])
  polls.due(new Set(['b']), 60_020)
  expect([...polls.due(new Set(['a', 'b']), 60_030)]).toContain('a')
})
