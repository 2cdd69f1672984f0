import { expect, test } from 'vitest'

import { widthOf } from './width.ts'
import { wrap } from './wrap.ts'

test('breaks lines at spaces', () => {
  expect(wrap('one two three\nfour', 7)).toEqual(['one two', 'three', 'four'])
})

test('keeps indentation and empty lines', () => {
  expect(wrap('  one\n\n  two three', 9)).toEqual(['  one', '', '  two', 'three'])
})

test('breaks words that are too long', () => {
  expect(wrap('a abcdefghij b', 4)).toEqual(['a', 'abcd', 'efgh', 'ij b'])
})

test('measures wide characters, and never exceeds the width', () => {
  for (const width of [2, 3, 7, 20])
    for (const line of wrap('東京 は 日本 の 首都 で す, and a longer text', width))
      expect(widthOf(line)).toBeLessThanOrEqual(width)
})

test('removes control characters', () => {
  expect(wrap('a\u001b[31mb\u0007', 10)).toEqual(['ab'])
})
