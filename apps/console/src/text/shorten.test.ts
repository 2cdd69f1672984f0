import { expect, test } from 'vitest'

import { shorten } from './shorten.ts'

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'longe'],
  ['ab😀', 3, 'ab'],
  ['ab😀', 4, 'ab😀'],
])('shortens %s to at most %d characters', (text, most, shown) => {
  expect(shorten(text, most)).toBe(shown)
})
