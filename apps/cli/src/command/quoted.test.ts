import { expect, test } from 'vitest'

import { enterCommand } from './quoted.ts'

test.each([
  ['agents/one', 'cd agents/one'],
  ['my agent', "cd 'my agent'"],
  ["it's", String.raw`cd 'it'\''s'`],
  ['-rf', 'cd ./-rf'],
  ['../日本語', "cd '../日本語'"],
  ['$HOME', "cd '$HOME'"],
])('goes to the folder %s', (folder, command) => expect(enterCommand(folder)).toBe(command))
