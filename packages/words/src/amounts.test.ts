import { expect, test } from 'vitest'

import { amount } from './amounts.ts'

test.each([
  [1200, 'count', '1,200'],
  [250, 'millicores', '0.25 CPU'],
  [4000, 'millicores', '4 CPU'],
  [1023, 'bytes', '1023 B'],
  [1536 * 1024 ** 2, 'bytes', '1.5 GiB'],
] as const)('writes %d %s as %s', (value, unit, text) => {
  expect(amount(value, unit)).toBe(text)
})
