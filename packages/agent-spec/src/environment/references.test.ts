import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { escapeValue, parseValue, soleCredential } from './references.ts'

describe('references', () => {
  test('parses every kind, and several in one value', () => {
    const value = 'a ${models.my.llm.url} b${credentials.KEY}${source.build} c'
    expect(parseValue(value)).toEqual([
      { kind: 'text', text: 'a ' },
      {
        kind: 'reference',
        reference: { kind: 'component', section: 'models', entry: 'my.llm', field: 'url' },
      },
      { kind: 'text', text: ' b' },
      { kind: 'reference', reference: { kind: 'credential', key: 'KEY' } },
      { kind: 'reference', reference: { kind: 'source', field: 'build' } },
      { kind: 'text', text: ' c' },
    ])
  })

  test.each([
    '${HOME}',
    '${}',
    '${models.llm}',
    '${models..url}',
    '${models.llm.image}',
    '${source.secret}',
    '${credentials.}',
    '${integrations.x.url}',
    '${ models.llm.url }',
    '${models.llm.url',
  ])('finds %s invalid', (value) => {
    expect(parseValue(value)).toEqual([{ kind: 'invalid', text: value }])
  })

  test('reads a doubled dollar as a literal one', () => {
    expect(parseValue('$${HOME} $5 $$ $')).toEqual([{ kind: 'text', text: '${HOME} $5 $$ $' }])
  })

  test('escapes any text', () => {
    const text = fc
      .array(fc.constantFrom('$', '{', '}', 'a', '${', '$${', 'models.x.url'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (literal) => {
        const parts = parseValue(escapeValue(literal))
        expect(parts).toEqual(literal === '' ? [] : [{ kind: 'text', text: literal }])
      }),
    )
  })

  test('distinguishes a value that is a credential from one that contains one', () => {
    expect(soleCredential('${credentials.A}')).toBe('A')
    expect(soleCredential('x${credentials.A}')).toBeUndefined()
    expect(soleCredential('${credentials.A}${credentials.B}')).toBeUndefined()
  })
})
