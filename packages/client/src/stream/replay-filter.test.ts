import { expect, test } from 'vitest'

import { ReplayFilter } from './replay-filter.ts'

const WINDOW_MS = 1_000

/** Lines as `TIME ORIGIN TEXT`; returns those that are new. */
function accept(filter: ReplayFilter, ...lines: readonly string[]): string[] {
  return lines.filter((line) => {
    const [timeMs, origin = ''] = line.split(' ')
    return filter.accept({ line, origin, timeMs: Number(timeMs) })
  })
}

test('accepts equal lines, and lines that are late', () => {
  const filter = new ReplayFilter(WINDOW_MS)
  const lines = ['5000 a x', '5000 a x', '9000 a y', '3000 b late', '2000 b later']
  expect(accept(filter, ...lines)).toEqual(lines)
  expect([filter.newestMs, filter.continueFromMs]).toEqual([9000, 8000])
})

test('drops repeated lines as often as they were there', () => {
  const filter = new ReplayFilter(WINDOW_MS)
  accept(filter, '7000 a old', '9000 a x', '9000 a x', '9500 b y')
  filter.restart()
  const again = ['9000 a x', '9000 c new', '9000 a x', '9000 a x', '9500 b y', '9600 a z']
  expect(accept(filter, '7000 a old', ...again)).toEqual(['9000 c new', '9000 a x', '9600 a z'])
})

test('drops repeated lines again after another cut', () => {
  const filter = new ReplayFilter(WINDOW_MS)
  accept(filter, '9000 a x')
  filter.restart()
  expect(accept(filter, '9000 a x', '9001 a y')).toEqual(['9001 a y'])
  filter.restart()
  expect(accept(filter, '9000 a x', '9001 a y', '9001 a y')).toEqual(['9001 a y'])
})

test('drops lines before the first one of an origin, which were not asked for', () => {
  const filter = new ReplayFilter(WINDOW_MS)
  accept(filter, '9000 a tail')
  filter.restart()
  expect(accept(filter, '8500 a before', '8500 b new', '9000 a tail')).toEqual(['8500 b new'])
})

test('remembers lines of the window only, also when it has many', () => {
  const filter = new ReplayFilter(WINDOW_MS)
  const lines = Array.from({ length: 10_000 }, (_, index) => `${index} a x`)
  expect(accept(filter, ...lines)).toHaveLength(10_000)
  filter.restart()
  expect(accept(filter, ...lines)).toEqual([])
})
