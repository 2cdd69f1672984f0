import { expect, test } from 'vitest'
import { lineLength } from './line-length.ts'

const long = 'word '.repeat(20)
const url = `https://example.org/${'path/'.repeat(20)}`

test('counts characters, not bytes', () => {
  expect(lineLength({ path: 'a.ts', lines: ['ü'.repeat(100)] })).toEqual([])
})

test('reports a longer line with its number', () => {
  expect(lineLength({ path: 'a.ts', lines: ['', `${long}.`] })).toEqual([
    'a.ts:2: the line has 101 columns, more than 100',
  ])
})

test.each([
  ['a Markdown table', 'a.md', `| ${long} |`],
  ['a URL', 'a.md', url],
  ['a URL in a list', 'a.md', `- [x](${url})`],
  ['a URL in a comment', 'a.ts', `  // ${url}`],
  ['a URL in a string', 'a.ts', `  '${url}',`],
  ['data', 'a.json', long + long],
  [
    'an import of one name',
    'a.ts',
    `import type { Name } from '@package/${'path/'.repeat(20)}name'`,
  ],
])('accepts %s', (_what, path, line) => {
  expect(lineLength({ path, lines: [line] })).toEqual([])
})

test.each([
  ['text before a URL', 'a.md', `${long} ${url}`],
  ['a table outside Markdown', 'a.ts', `| ${long} |`],
])('reports %s', (_what, path, line) => {
  expect(lineLength({ path, lines: [line] })).toHaveLength(1)
})
