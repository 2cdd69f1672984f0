import { describe, expect, test } from 'vitest'

import { checkSearchText } from './search-text.ts'

describe('checkSearchText', () => {
  test.each(['x', '😀'])('accepts at most 256 characters: %s', (character) => {
    expect(() => checkSearchText(character.repeat(256))).not.toThrow()
    expect(() => checkSearchText(character.repeat(257))).toThrow(
      'query must have at most 256 characters',
    )
  })

  test('rejects NUL', () => {
    expect(() => checkSearchText('a\0b')).toThrow('query must not contain NUL characters')
  })
})
