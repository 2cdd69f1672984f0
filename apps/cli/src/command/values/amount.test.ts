import { expect, test } from 'vitest'

import { parseAmount, parseMinimum, parseRange, wholeNumber } from './amount.ts'

test.each([
  ['500', 500],
  ['10k', 10_000],
  ['1.5M', 1_500_000],
  ['2b', 2_000_000_000],
  ['$0.25', 0.25],
])('%s is a number', (text, value) => {
  expect(parseAmount(text)).toBe(value)
})

test.each(['', 'k', '-1', '1e3', '10 k', '0x10'])('"%s" is not a number', (text) => {
  expect(() => parseAmount(text)).toThrow(/is not a number; write one like 500, 10k/)
})

test.each([
  ['10k', { min: 10_000 }],
  ['>10k', { min: 10_001 }],
  ['>=10k', { min: 10_000 }],
  ['<500', { max: 499 }],
  ['<= 500', { max: 500 }],
  ['1k..5k', { min: 1000, max: 5000 }],
])('%s is a range', (text, range) => {
  expect(parseRange(text)).toEqual(range)
})

test.each(['5k..1k', '<0'])('%s is an empty range', (text) => {
  expect(() => parseRange(text)).toThrow(/is an empty range/)
})

test.each(['', '>', '=5', '1..2..x', '..'])('"%s" is not a range', (text) => {
  expect(() => parseRange(text)).toThrow(/is not a number/)
})

test('a minimum can be written with its sign', () => {
  expect([parseMinimum('>0.10'), parseMinimum('>= 0.10'), parseMinimum('0.10')]).toEqual([
    0.1, 0.1, 0.1,
  ])
})

test('whole numbers have bounds', () => {
  expect(wholeNumber(1, 500)('500')).toBe(500)
  for (const text of ['0', '501', '1.5'])
    expect(() => wholeNumber(1, 500)(text)).toThrow(/is not a whole number from 1 to 500/)
})
