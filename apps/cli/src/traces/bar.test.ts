import { expect, test } from 'vitest'

import { bar } from './bar.ts'

test.each([
  [0, 100, '██████████'],
  [0, 50, '█████'],
  [50, 50, '     █████'],
  [25, 25, '  ███'],
  [0, 1, '▏'],
  [0, 0, '▏'],
  [100, 0, '         █'],
  [99, 1, '         █'],
  [95, 50, '         █'],
])('from %d for %d of 100 in 10 columns', (start, length, text) => {
  expect(bar(start, length, 100, 10)).toBe(text)
})

test('a whole of no length is full', () => {
  expect(bar(0, 0, 0, 4)).toBe('████')
})

test('never exceeds its columns', () => {
  for (let start = 0; start <= 100; start += 7)
    for (const length of [0, 0.01, 3, 50, 1000])
      expect(bar(start, length, 100, 12).length).toBeLessThanOrEqual(12)
})
