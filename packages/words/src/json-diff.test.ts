import { expect, test } from 'vitest'

import { jsonDiff } from './json-diff.ts'

test('finds what was added, changed and removed, by its path', () => {
  const before = { agent: { image: 'a:1', replicas: 1, env: { A: '1' } }, same: [1, 2] }
  const after = { agent: { image: 'a:2', replicas: 1, env: {} }, same: [1, 2], b: null }
  expect(jsonDiff(before, after)).toEqual([
    { path: 'agent.env.A', old: '1' },
    { path: 'agent.image', old: 'a:1', new: 'a:2' },
    { path: 'b', new: null },
  ])
})

test('elements with names may change places', () => {
  const tool = (name: string, port: number) => ({ name, port })
  expect(
    jsonDiff([tool('a', 1), tool('b', 2)], [tool('b', 2), tool('a', 3), tool('c', 4)]),
  ).toEqual([
    { path: '[a].port', old: 1, new: 3 },
    { path: '[c].name', new: 'c' },
    { path: '[c].port', new: 4 },
  ])
})

test('equal documents have no differences', () => {
  expect(jsonDiff({ a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([])
})
