import { expect, test } from 'vitest'
import { partsOf } from './index.ts'

test.each([
  ['the stack’s own cluster', { kubeconfig: undefined, inCluster: false }],
  ['another cluster', { kubeconfig: '/a/kubeconfig', inCluster: false }],
  ['the services in the cluster', { kubeconfig: undefined, inCluster: true }],
])('includes every part that another one needs, with %s', (_what, settings) => {
  const parts = partsOf(settings)
  const names = new Set(parts.map((part) => part.name))
  expect(parts.flatMap((part) => part.needs.filter((name) => !names.has(name)))).toEqual([])
  expect(names.size).toBe(parts.length)
})

test('includes metrics unless another cluster has its own', () => {
  const hasMetrics = (settings: Parameters<typeof partsOf>[0]) =>
    partsOf(settings).some(({ name }) => name === 'metrics')
  expect(hasMetrics({ kubeconfig: undefined, inCluster: true })).toBe(true)
  expect(hasMetrics({ kubeconfig: '/a/kubeconfig', inCluster: false })).toBe(false)
})
