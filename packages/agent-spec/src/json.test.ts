import { expect, test } from 'vitest'

import { compareCodePoints, own, sortedRecord } from './json.ts'

test('sorts by code point, not by UTF-16 unit or locale', () => {
  const words = ['b', 'a', 'B', 'ä', '\u{1f600}', '\uffee', 'aa', '']
  expect(words.toSorted(compareCodePoints)).toEqual([
    '',
    'B',
    'a',
    'aa',
    'b',
    'ä',
    '\uffee',
    '\u{1f600}',
  ])
})

test('finds own properties only', () => {
  expect(own({} as Record<string, unknown>, 'constructor')).toBeUndefined()
  expect(own(sortedRecord([['__proto__', 1]]), '__proto__')).toBe(1)
})
