import { expect, test } from 'vitest'

import { LogBuffer, MOST_LINES } from './log-buffer.ts'
import type { LogLine } from './log-line.ts'

const line = (text: string, time = '') => ({
  time,
  source: '',
  container: '',
  isEvent: false,
  text,
})

test('keeps the newest lines and counts those that it dropped', () => {
  const changes: { lines: readonly LogLine[]; dropped: number }[] = []
  using buffer = new LogBuffer(false, (lines, dropped) => changes.push({ lines, dropped }))
  for (let number = 1; number <= MOST_LINES; number += 1) buffer.add(line(`line ${number}`))
  buffer.add(line('next'))
  buffer.add(line('last'))
  buffer.flush()
  expect(changes.map(({ lines, dropped }) => [lines.length, dropped])).toEqual([
    [MOST_LINES, 0],
    [MOST_LINES, 2],
  ])
  expect(changes[1]?.lines[0]?.text).toBe('line 3')
  expect(changes[1]?.lines.at(-1)?.text).toBe('last')
  expect(new Set(changes[1]?.lines.map(({ id }) => id)).size).toBe(MOST_LINES)
})

const at = (seconds: number) => `2026-11-24T10:00:0${seconds}.000000Z`

test.each([
  [true, ['an event', 'a', 'b', 'also b', 'not a line', 'c']],
  [false, ['b', 'c', 'an event', 'a', 'also b', 'not a line']],
])('sorts lines of several pods by time: %j', (isOfSeveralPods, expected) => {
  let texts: string[] = []
  using buffer = new LogBuffer(isOfSeveralPods, (lines) => {
    texts = lines.map(({ text }) => text)
  })
  for (const [text, time] of [
    ['b', at(3)],
    ['c', at(4)],
  ] as const)
    buffer.add(line(text, time))
  buffer.flush()
  buffer.add(line('an event', at(1)))
  buffer.add(line('a', at(2)))
  buffer.add(line('also b', at(3)))
  buffer.add(line('not a line', 'failed'))
  buffer.flush()
  expect(texts).toEqual(expected)
})
