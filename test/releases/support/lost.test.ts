import { expect, test } from 'vitest'

import { lostIn } from './lost.ts'

test('finds what a later answer lacks or says differently', () => {
  const before = { name: 'a', paths: ['x', 'y'], items: [{ id: 1, tags: [] }], none: null }
  expect(lostIn(before, before)).toEqual([])
  const more = { ...before, paths: ['z', 'y', 'x'], items: [{ id: 1, tags: [], more: 1 }] }
  expect(lostIn(more, before)).toEqual([])
  expect(lostIn({ name: 1, paths: ['x'], items: [], none: {} }, before)).toEqual([
    '/name: 1 instead of "a"',
    '/paths: lacks y',
    '/items: 0 entries instead of 1',
    '/none: {} instead of null',
  ])
  expect(lostIn({ ...before, items: [{ id: 1, tags: ['x'] }] }, before)).toEqual([
    '/items/0/tags: 1 entries instead of 0',
  ])
  expect(lostIn({ ...before, items: {}, paths: undefined }, before)).toEqual([
    '/paths: undefined instead of ["x","y"]',
    '/items: {} instead of [{"id":1,"tags":[]}]',
  ])
})
