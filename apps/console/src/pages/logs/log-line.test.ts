import { expect, test } from 'vitest'

import { columnsOf } from './log-line.ts'

test.each([
  ['a line', 6],
  ['', 0],
  ['a\tb', 6],
  ['é', 2],
  ['日本', 4],
])('%j needs at most %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns)
})
