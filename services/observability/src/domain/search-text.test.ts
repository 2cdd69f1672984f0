import { Violations } from '@slipway/shared/errors'
import { describe, expect, test } from 'vitest'

import { requireSearchText } from './search-text.ts'

function check(text: string): void {
  const violations = new Violations()
  requireSearchText(violations, 'query', text)
  violations.throwIfAny()
}

describe('requireSearchText', () => {
  test.each(['x', '😀'])('accepts at most 256 characters: %s', (character) => {
    expect(() => check(character.repeat(256))).not.toThrow()
    expect(() => check(character.repeat(257))).toThrow('query must have at most 256 characters')
  })

  test('rejects NUL', () => {
    expect(() => check('a\0b')).toThrow('query must not contain NUL characters')
  })
})
