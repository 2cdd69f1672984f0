import { expect, test } from 'vitest'

import { isBefore, startOfLast } from './last-lines.ts'
import type { LogEntry } from './result.ts'

function line(pod: string, second: number): LogEntry {
  const time = `2026-11-22T12:00:0${second}.000000Z`
  return { kind: 'line', time, pod, container: 'agent', text: `${pod}${second}` }
}

const event: LogEntry = {
  kind: 'event',
  time: '2026-11-22T12:00:02.500000Z',
  object: 'pod',
  reason: 'BackOff',
  text: 'event',
}
const entries = [line('a', 1), line('b', 1), line('c', 1), line('a', 2), event, line('a', 3)]

test.each([
  [1, ['a3']],
  [2, ['a2', 'event', 'a3']],
  [3, ['c1', 'a2', 'event', 'a3']],
  [4, ['b1', 'c1', 'a2', 'event', 'a3']],
])('the last %d lines are those of all pods, and go on in the same log', (most, texts) => {
  const start = startOfLast(entries, most)
  expect(entries.slice(start?.index).map(({ text }) => text)).toEqual(texts)
  if (start === undefined) throw new Error('there are more lines')
  const before = isBefore(start)
  expect(entries.filter((entry) => !before(entry)).map(({ text }) => text)).toEqual(texts)
})

test('a log without more lines begins with its first entry', () => {
  expect(startOfLast(entries, 5)).toBeUndefined()
  expect(startOfLast([], 1)).toBeUndefined()
})
