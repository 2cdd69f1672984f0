import { expect, test } from 'vitest'

import { compact, dollars, percent } from './numbers.ts'

test.each([
  [0, '0'],
  [950, '950'],
  [999.6, '1k'],
  [1000, '1k'],
  [12_345, '12.3k'],
  [99_960, '100k'],
  [999_700, '1M'],
  [4_000_000, '4M'],
  [9_007_199_254_740_992, '9007199G'],
])('%d is %s', (value, text) => {
  expect(compact(value)).toEqual({ text, plain: String(value) })
})

test.each([
  [undefined, '-', ''],
  [0, '$0', '0'],
  [0.00002, '<$0.0001', '0.00002'],
  [0.00214, '$0.0021', '0.00214'],
  [12.344, '$12.34', '12.344'],
])('costs of %s are %s', (value, text, plain) => {
  expect(dollars(value)).toEqual({ text, plain })
})

test('shares', () => {
  expect([0, 0.0321, 0.5, 1].map(percent)).toEqual(['0 %', '3.2 %', '50 %', '100 %'])
})
