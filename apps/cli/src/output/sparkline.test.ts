import { expect, test } from 'vitest'

import { sparkline } from './sparkline.ts'

test('the highest value has the highest bar', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█')
  expect(sparkline([5, 10])).toBe('▅█')
})

test('little is more than nothing, and nothing is known', () => {
  expect(sparkline([1, 0, undefined, 1e6])).toBe('▂▁ █')
  expect(sparkline([0, 0])).toBe('▁▁')
  expect(sparkline([])).toBe('')
})
