import { expect, test } from 'vitest'

import { fields, lines, table } from './blocks.ts'
import { renderPlain } from './render-plain.ts'

test('prints a row a line below the titles, with tabs and exact values', () => {
  const block = table({
    columns: [{ title: '', plain: 'NAME' }, { title: 'AGE' }],
    rows: [
      ['a', { text: '3 h ago', plain: '2026-11-23T10:00:00Z' }],
      ['b\tc\nd', '-'],
    ],
    empty: 'none',
  })
  expect(renderPlain(block)).toBe('NAME\tAGE\na\t2026-11-23T10:00:00Z\nb c d\t-')
  expect(renderPlain({ ...block, columns: [] })).toBe('a\t2026-11-23T10:00:00Z\nb c d\t-')
  expect(renderPlain({ ...block, rows: [] })).toBe('')
})

test('prints fields with their names, without those that have no value', () => {
  expect(renderPlain(fields({ one: '1', two: undefined }))).toBe('one\t1')
})

test('prints lines as they are', () => {
  expect(renderPlain(lines('a\tb', [{ text: 'c', style: 'bad' }, 'd']))).toBe('a\tb\ncd')
})
