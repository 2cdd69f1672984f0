import { expect, test } from 'vitest'

import { objectChanges, setChanges } from './object-diff.ts'

const container = (name: string, more: object) => ({ name, image: `${name}:1`, ...more })
const workload = (containers: object[], more: object = {}) => ({
  kind: 'Deployment',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', labels: { 'a/b': 'c' } },
  spec: { replicas: 1, template: { spec: { containers } }, ...more },
  status: { replicas: 1 },
})

test('lists changed, added and removed fields with their values', () => {
  const env = (value: string) => [
    { name: 'FIRST', value: 'same' },
    { name: 'GREETING', value },
  ]
  const before = workload([container('agent', { env: env('hello') }), container('old', {})])
  const after = workload([container('agent', { env: env('hi') })], { paused: true, replicas: 2 })
  const path = 'spec.template.spec.containers'
  expect(objectChanges(before, after)).toEqual([
    { path: 'spec.paused', old: undefined, new: true },
    { path: 'spec.replicas', old: 1, new: 2 },
    { path: `${path}[agent].env[GREETING].value`, old: 'hello', new: 'hi' },
    { path: `${path}[old]`, old: container('old', {}), new: undefined },
  ])
  expect(setChanges(before, after)).toHaveLength(3)
})

test('ignores the order of named entries, and what only the cluster sets', () => {
  const [a, b] = [container('a', {}), container('b', {})]
  const other = { ...workload([b, a]), status: { replicas: 5 } }
  const metadata = { ...other.metadata, uid: 'v', resourceVersion: '9', generation: 4 }
  expect(objectChanges(workload([a, b]), { ...other, metadata })).toEqual([])
})

test('shows lists without unique names as a whole, and quotes keys that need it', () => {
  const mounts = (count: number) => Array.from({ length: count }, () => ({ name: 'data' }))
  const before = workload([container('a', { args: ['x'], volumeMounts: mounts(2) })])
  const after = {
    ...workload([container('a', { args: ['x', 'y'], volumeMounts: mounts(3) })]),
    metadata: { name: 'a', labels: { 'a/b': 'd' } },
  }
  const path = 'spec.template.spec.containers[a]'
  expect(objectChanges(before, after)).toEqual([
    { path: 'metadata.labels[a/b]', old: 'c', new: 'd' },
    { path: `${path}.args`, old: ['x'], new: ['x', 'y'] },
    { path: `${path}.volumeMounts`, old: mounts(2), new: mounts(3) },
  ])
})
