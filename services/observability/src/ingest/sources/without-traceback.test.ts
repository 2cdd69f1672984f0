import { expect, test } from 'vitest'

import { withoutTraceback } from './without-traceback.ts'

const FRAMES = 'Traceback (most recent call last):\n  File "/app/a.py", line 1, in f\n    g()\n'

test.each([
  ['a message', 'no station', 'no station'],
  ['a traceback of Python', `${FRAMES}ValueError: no station\n`, 'ValueError: no station'],
  ['a message of several lines', `${FRAMES}ValueError: no\nstation`, 'ValueError: no\nstation'],
  [
    'several exceptions',
    `${FRAMES}KeyError: 1\n\nDuring handling of the above exception:\n\n${FRAMES}ValueError: 2`,
    'ValueError: 2',
  ],
  ['a message before a traceback', `ValueError('no')${FRAMES}ValueError: no`, "ValueError('no')"],
  ['a stack of Node', 'Error: no station\n    at f (/app/a.js:1:2)\n    at g', 'Error: no station'],
  ['a traceback without an end', FRAMES, FRAMES],
])('leaves the message of %s', (_, sent, message) => {
  expect(withoutTraceback(sent)).toBe(message)
})
