import { expect, test } from 'vitest'

import { bar } from './bar.ts'

test.each([
  [0, 10, '░░░░░░░░░░ 0 %', 'good'],
  [1, 1000, '░░░░░░░░░░ 0 %', 'good'],
  [1, 100, '█░░░░░░░░░ 1 %', 'good'],
  [8, 10, '████████░░ 80 %', 'warning'],
  [999, 1000, '█████████░ 99 %', 'warning'],
  [12, 10, '██████████ 120 %', 'bad'],
  [0, 0, '░░░░░░░░░░ 0 %', 'good'],
])('draws %d of %d', (used, limit, text, style) => {
  expect(bar(used, limit, 10)).toMatchObject({ text, style })
})

test('without room, only the percentage is left', () => {
  expect(bar(8, 10, 0)).toMatchObject({ text: '80 %', plain: '80' })
})
