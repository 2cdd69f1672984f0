import { expect, test } from 'vitest'

import { PollBackoff } from './poll-backoff.ts'

const looksIn = (polls: PollBackoff, fromMs: number, toMs: number) => {
  let looks = 0
  for (let now = fromMs; now < toMs; now += 250) looks += polls.due(new Set(['a']), now).size
  return looks
}

test('what stays is looked at less and less often, but never less than every five seconds', () => {
  const polls = new PollBackoff()
  expect(looksIn(polls, 0, 2_000)).toBe(8)
  expect(looksIn(polls, 2_000, 60_000)).toBeLessThan(40)
  expect(looksIn(polls, 60_000, 120_000)).toBe(12)
  expect(looksIn(polls, 3_600_000, 3_660_000)).toBe(12)
})

test('what is new, or comes back, is looked at at once', () => {
  const polls = new PollBackoff()
  looksIn(polls, 0, 60_000)
  expect([...polls.due(new Set(['a', 'b']), 60_010)]).toEqual(['b'])
  polls.due(new Set(['b']), 60_020)
  expect([...polls.due(new Set(['a', 'b']), 60_030)]).toContain('a')
})
