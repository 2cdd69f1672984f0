import { expect, test } from 'vitest'
import { lastWords } from './daemon-status.ts'

test.each([
  [
    'what an uncaught error says',
    'starting\nError: no such file\n    at main.ts:3\n\nNode.js v24.21.0',
    'Error: no such file',
  ],
  ['the last line without one', 'starting\nbye', 'bye'],
  ['nothing of nothing', '', ''],
])('tells %s', (_what, log, words) => {
  expect(lastWords(log)).toBe(words)
})
