import { expect, test } from 'vitest'

import { missingPartIn } from './missing-part.ts'

test.each([
  ["ModuleNotFoundError: No module named 'numpy'", 'the Python module numpy'],
  ["ModuleNotFoundError: No module named 'google.genai'", 'the Python module google.genai'],
  [
    'ImportError: libGL.so.1: cannot open shared object file: No such file or directory',
    'the library libGL.so.1 of the system',
  ],
  [
    './agent: error while loading shared libraries: libssl.so.3: cannot open shared object file',
    'the library libssl.so.3 of the system',
  ],
  ["Error: Cannot find module 'express'", 'the Node.js package express'],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@ai-sdk/openai' imported from /app/a.js",
    'the Node.js package @ai-sdk/openai',
  ],
  ["Error: Cannot find module '/app/dist/server.js'", 'the file /app/dist/server.js'],
  ["Error: Cannot find module './lib/own'", 'the file ./lib/own'],
  [
    "FileNotFoundError: [Errno 2] No such file or directory: 'prompts/system.txt'",
    'the file prompts/system.txt',
  ],
  [
    "Error: ENOENT: no such file or directory, open '/app/prompts/a.md'",
    'the file /app/prompts/a.md',
  ],
])('%s', (line, what) => {
  const [advice] = missingPartIn(['starting', line, 'Node.js v24.21.0'])
  expect(advice?.finding).toBe(`the log says that ${what} is missing in the image`)
  expect(advice?.step).toMatch(/register a build with it\.$/)
})

test('knows an image for another processor, and takes the last line that counts', () => {
  const [advice] = missingPartIn(['exec /usr/local/bin/node: exec format error'])
  expect(advice?.finding).toContain('for another processor')
  const lines = ["ModuleNotFoundError: No module named 'a'", "Cannot find module 'b'"]
  expect(missingPartIn(lines)[0]?.finding).toContain('the Node.js package b')
})

test.each([
  "PermissionError: [Errno 13] Permission denied: '/var/cache/weather.db'",
  "OSError: [Errno 30] Read-only file system: '/var/cache/weather.db'",
  "Error: EACCES: permission denied, open '/var/cache/weather.db'",
])('knows a file that a program may not use: %s', (line) => {
  const [advice] = missingPartIn([line])
  expect(advice?.finding).toBe('the log says that the program may not use /var/cache/weather.db')
  expect(advice?.step).toContain('runs as user 1000. It may write to /tmp')
})

test.each(['no such module in the list', 'GET /files/x 404 not found', 'the file was not found'])(
  'says nothing of: %s',
  (line) => {
    expect(missingPartIn([line])).toEqual([])
  },
)
