import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { escapeValue, parseValue, soleCredential } from './references.ts'

describe('references', () => {
  test('of every kind, several in one value', () => {
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
  ])('%s means nothing', (value) => {
    expect(parseValue(value)).toEqual([{ kind: 'invalid', text: value }])
  })

  test('a doubled dollar is a literal one', () => {
    expect(parseValue('$${HOME} $5 $$ $')).toEqual([{ kind: 'text', text: '${HOME} $5 $$ $' }])
  })

  test('any text survives being escaped', () => {
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

  test('a value that is one credential is told from one that holds one', () => {
    expect(soleCredential('${credentials.A}')).toBe('A')
    expect(soleCredential('x${credentials.A}')).toBeUndefined()
    expect(soleCredential('${credentials.A}${credentials.B}')).toBeUndefined()
  })
})
