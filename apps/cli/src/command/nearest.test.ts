import { expect, test } from 'vitest'

import { nearest } from './nearest.ts'

const WORDS = ['list', 'show', 'export']

test.each([
  ['shwo', 'show'],
  ['Show', 'show'],
  ['sho', 'show'],
  ['exprot', 'export'],
  ['lists', 'list'],
  ['support-agent', undefined],
  ['nope', undefined],
  ['x', undefined],
])('%s means %s', (typed, word) => {
  expect(nearest(typed, WORDS)).toBe(word)
})
