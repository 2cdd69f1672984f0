import { expect, test } from 'vitest'

import { matches } from './matches.ts'

const agent = { account: 'acme', name: 'Handbook', description: 'Answers questions', tags: ['hr'] }

test.each([
  ['', undefined, true],
  ['hand ANSWERS', undefined, true],
  ['hand other', undefined, false],
  ['acme hr', 'hr', true],
  ['', 'h', false],
])('finds %j with the tag %j: %s', (query, tag, isFound) => {
  expect(matches(agent, query, tag)).toBe(isFound)
})
