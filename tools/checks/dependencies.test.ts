import { expect, test } from 'vitest'

import { licenseProblems } from './dependencies.ts'

const allowed = new Set(['MIT', 'ISC'])

function problemsOf(...licenses: ({ license: { id: string } } | { expression: string })[]) {
  return licenseProblems({ components: [{ purl: 'pkg:npm/thing@1.0.0', licenses }] }, allowed)
}

test('allows packages whose licenses are all allowed', () => {
  expect(problemsOf({ license: { id: 'MIT' } })).toEqual([])
  expect(problemsOf({ expression: '(MIT AND ISC)' })).toEqual([])
})

test('reports a license that is not allowed, also in an expression', () => {
  expect(problemsOf({ license: { id: 'AGPL-3.0' } })).toEqual([
    'pkg:npm/thing@1.0.0: license AGPL-3.0 is not allowed',
  ])
  expect(problemsOf({ expression: '(MIT OR GPL-3.0)' })).toEqual([
    'pkg:npm/thing@1.0.0: license MIT, GPL-3.0 is not allowed',
  ])
})

test('reports a package without a license', () => {
  expect(problemsOf()).toEqual(['pkg:npm/thing@1.0.0: license unknown is not allowed'])
})
