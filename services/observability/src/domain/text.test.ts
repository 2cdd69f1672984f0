import { describe, expect, test } from 'vitest'

import { cutToBytes } from './text.ts'

describe('cutToBytes', () => {
  test.each([
    ['', 0, ''],
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['äöü', 4, 'äö'],
    ['äöü', 5, 'äö'],
    ['a€', 3, 'a'],
    ['a€', 4, 'a€'],
    ['x😀', 4, 'x'],
    ['x😀', 5, 'x😀'],
    ['😀', 3, ''],
  ])('truncates %j to %d bytes as %j', (text, maxBytes, expected) => {
    expect(cutToBytes(text, maxBytes)).toBe(expected)
  })
})
