import { expect, it } from 'vitest'
import { countTokens, searchTerms, sentences } from './text.ts'

it.each([
  ['How do I find my invoices?', ['find', 'invoic']],
  ['The invoice', ['invoic']],
  ['cancelled, cancelling, cancel', ['cancel', 'cancel', 'cancel']],
  ['Policies and a policy', ['policy', 'policy']],
  ['Zürich: 429 errors', ['zurich', '429', 'error']],
  ['files, file, trees, tree', ['file', 'file', 'tree', 'tree']],
  ['two-factor', ['two', 'factor']],
  ['...', []],
])('finds the terms of %j', (text, terms) => {
  expect(searchTerms(text)).toEqual(terms)
})

it('splits prose into sentences', () => {
  expect(sentences('Go there. Choose "Restore".  Does it work? It does')).toEqual([
    'Go there.',
    'Choose "Restore".',
    'Does it work?',
    'It does',
  ])
  expect(sentences('')).toEqual([])
})

it.each([
  ['', 0],
  ['Hello, world!', 4],
  ["can't", 3],
  ['  spaced   out  ', 2],
])('counts the tokens of %j', (text, tokens) => {
  expect(countTokens(text)).toBe(tokens)
})
