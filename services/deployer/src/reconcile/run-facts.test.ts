import type { V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { podFacts } from './pod-facts.ts'
import { runPod, toRunPod, UNSCHEDULABLE_MS } from './run-facts.ts'

const CREATED = '2026-11-21T12:00:00Z'
const AT = Date.parse(CREATED)

function podOf(scheduled: 'True' | 'False'): V1Pod {
  const metadata: unknown = {
    name: 'run-a',
    creationTimestamp: CREATED,
    ownerReferences: [{ kind: 'Job', uid: 'u' }],
  }
  const reason = scheduled === 'False' ? { reason: 'Unschedulable', message: 'no node' } : {}
  return {
    metadata: metadata as NonNullable<V1Pod['metadata']>,
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: scheduled, ...reason }],
    },
  }
}

function runPodOf(pod: V1Pod, now: number) {
  const run = runPod(pod)
  return run && toRunPod(podFacts(pod), run, now)
}

test('a pod that no node has room for is stuck after a short time, until it is scheduled', () => {
  const unschedulable = podOf('False')
  const reason = 'Unschedulable: no node'
  expect(runPodOf(unschedulable, AT + 1)).toMatchObject({ isStuck: false, reason })
  const later = AT + UNSCHEDULABLE_MS
  expect(runPodOf(unschedulable, later)).toMatchObject({ isStuck: true, reason })
  expect(runPodOf(podOf('True'), later)).toMatchObject({ isStuck: false, reason: '' })
})

test('pods of other workloads belong to no run', () => {
  expect(runPod({ metadata: { name: 'agent-a' } })).toBeUndefined()
})
