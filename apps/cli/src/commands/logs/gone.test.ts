import { expect, test } from 'vitest'

import { linesToSkip, skips } from './gone.ts'
import type { LogEntry } from './result.ts'

function line(pod: string, text: string, isGone: boolean): LogEntry {
  const time = '2026-11-22T12:00:00.000000Z'
  return { kind: 'line', time, pod, container: 'agent', text, ...(isGone && { is_gone: true }) }
}

const entries: LogEntry[] = [
  line('old', '1', true),
  line('older', '2', true),
  line('old', '3', true),
  line('new', '4', false),
  line('old', '5', true),
  line('new', '6', false),
  line('new', '7', false),
]

test.each([
  [1, ['2', '4', '5', '6', '7']],
  [2, ['2', '3', '4', '5', '6', '7']],
  [50, ['1', '2', '3', '4', '5', '6', '7']],
])('leaves %d lines of each container that is gone', (tail, texts) => {
  const left = linesToSkip(entries, tail)
  expect(entries.filter((entry) => !skips(entry, left)).map(({ text }) => text)).toEqual(texts)
})
