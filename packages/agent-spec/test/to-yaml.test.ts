import { rounds } from '@slipway/testing/rounds'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { templateToYaml } from '../src/index.ts'

test('writes text, numbers, lists and mappings', () => {
  const value = {
    text: 'Answers questions, and asks: what?',
    image: 'registry.example.com:5000/acme/bot:b1',
    memory: '512Mi',
    quoted: 'yes',
    number: '8080',
    replicas: 2,
    ratio: 0.5,
    enabled: true,
    nothing: null,
    empty: {},
    none: [],
    items: ['a', { b: ['c'] }],
    'a key: with a colon': 'two\nlines',
  }
  expect(templateToYaml(value)).toBe(`text: "Answers questions, and asks: what?"
image: registry.example.com:5000/acme/bot:b1
memory: 512Mi
quoted: "yes"
number: "8080"
replicas: 2
ratio: 0.5
enabled: true
nothing: null
empty: {}
none: []
items:
  - a
  - b:
      - c
"a key: with a colon": "two\\nlines"
`)
})

/** Strings that mean something else in YAML, or in some version of it. */
const SPECIAL = (
  'yes|null|~|1:30|0x1f|1_000|.inf|2026-01-01|<<|=|-|#|&a|*a|!a|%a|@a|`a`|[a|{a|>|1e3|010|---|' +
  ' a|a |E0|e+5|a: b|a :b|a:|a #b|# a|- a|? a|"a|...|a\tb|a\u0085b|\ufeff'
).split('|')

test.each(['1.2', '1.1'] as const)('a reader of YAML %s gets the same values', (version) => {
  const text = fc.oneof(
    fc.constantFrom(...SPECIAL),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string(),
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
    ),
  }))
  const options = { version, stringKeys: true, merge: false }
  fc.assert(
    fc.property(fc.dictionary(text, tree, { minKeys: 1, maxKeys: 5 }), (value) => {
      expect(parse(templateToYaml(value), options)).toEqual(value)
    }),
    { numRuns: rounds(300) },
  )
})
