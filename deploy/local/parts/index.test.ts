import { expect, test } from 'vitest'
import { partsOf } from './index.ts'

test.each([
  ['a cluster of its own', undefined],
  ['another cluster', '/a/kubeconfig'],
])('with %s, every part that is needed is there', (_what, kubeconfig) => {
  const parts = partsOf({ kubeconfig })
  const names = new Set(parts.map((part) => part.name))
  expect(parts.flatMap((part) => part.needs.filter((name) => !names.has(name)))).toEqual([])
  expect(names.size).toBe(parts.length)
})
