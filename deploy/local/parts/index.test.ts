import { expect, test } from 'vitest'
import { partsOf } from './index.ts'

test.each([
  ['the stack’s own cluster', undefined],
  ['another cluster', '/a/kubeconfig'],
])('includes every part that another one needs, with %s', (_what, kubeconfig) => {
  const parts = partsOf({ kubeconfig })
  const names = new Set(parts.map((part) => part.name))
  expect(parts.flatMap((part) => part.needs.filter((name) => !names.has(name)))).toEqual([])
  expect(names.size).toBe(parts.length)
})
