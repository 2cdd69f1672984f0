import { expect, test } from 'vitest'

import { digestOf, entityTag, matchesEtag } from './entity-tag.ts'

test('each encoding of a body has its own strong entity tag', () => {
  const digest = digestOf(Buffer.from('{}'))
  const tags = ([undefined, 'br', 'gzip'] as const).map((encoding) => entityTag(digest, encoding))
  expect(new Set(tags).size).toBe(3)
  for (const tag of tags) expect(tag).toMatch(/^"[\w.-]+"$/)
  expect(digestOf(Buffer.from('[]'))).not.toBe(digest)
})

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['*', true],
  ['"b"', false],
  ['"b", "a"', true],
  ['"b",W/"a"', true],
  ['a', false],
])('If-None-Match %s', (header, isMatch) => {
  expect(matchesEtag(header, '"a"')).toBe(isMatch)
})
