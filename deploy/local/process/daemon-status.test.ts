import { expect, test } from 'vitest'
import { lastWords } from './daemon-status.ts'

test.each([
  [
    'the message of an uncaught error',
    'starting\nError: no such file\n    at main.ts:3\n\nNode.js v24.21.0',
    'Error: no such file',
  ],
  ['the last line if there is no error', 'starting\nbye', 'bye'],
  ['an empty text for an empty log', '', ''],
])('returns %s', (_what, log, words) => {
  expect(lastWords(log)).toBe(words)
})
