import { expect, test } from 'vitest'

import { LogBuffer, MOST_LINES, type LogLine } from './log-buffer.ts'

test('keeps the newest lines and counts those that it dropped', () => {
  const changes: { lines: readonly LogLine[]; dropped: number }[] = []
  using buffer = new LogBuffer((lines, dropped) => changes.push({ lines, dropped }))
  for (let line = 1; line <= MOST_LINES + 2; line += 1)
    buffer.add({ time: '', origin: '', text: `line ${line}` })
  buffer.flush()
  buffer.add({ time: '', origin: '', text: 'last' })
  buffer.flush()
  expect(changes.map(({ lines, dropped }) => [lines.length, dropped])).toEqual([
    [MOST_LINES, 2],
    [MOST_LINES, 3],
  ])
  expect(changes[1]?.lines[0]?.text).toBe('line 4')
  expect(changes[1]?.lines.at(-1)?.text).toBe('last')
  expect(new Set(changes[1]?.lines.map(({ id }) => id)).size).toBe(MOST_LINES)
})
