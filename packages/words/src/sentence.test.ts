import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { sentence } from './sentence.ts'

/** A deployment that has failed, with components whose pods are ready or not. */
function failed(...components: readonly (readonly boolean[])[]): Schemas['Deployment'] {
  return {
    name: 'support-agent',
    build_id: 'a1b2c3d4',
    revision: 2,
    state: 'failed',
    reason: 'agent: CrashLoopBackOff',
    deployed_at: '2026-11-22T12:00:00Z',
    deployed_by: 'alice',
    k8s_namespace: 'agent-1',
    service_endpoints: [],
    components: components.map((pods, at) => ({
      name: `component-${at}`,
      kind: 'agent',
      state: pods.every(Boolean) ? 'ready' : 'failed',
      pod_count: pods.length,
      ready_pod_count: pods.filter(Boolean).length,
      pods: pods.map((ready, index) => ({
        name: `pod-${at}-${index}`,
        phase: 'Running',
        ready,
        restarts: 0,
      })),
    })),
  }
}

const FAILED = 'support-agent has failed: agent: CrashLoopBackOff'

test.each([
  ['no pod is ready', failed([false]), FAILED],
  ['another component is ready', failed([true], [false]), FAILED],
  ['an older pod is left', failed([true, false]), `${FAILED}; 1 of 2 pods still answers`],
  ['older pods are left', failed([true, true, false]), `${FAILED}; 2 of 3 pods still answer`],
])('says whether a failed deployment still answers: %s', (_, deployment, text) => {
  expect(sentence(deployment)).toBe(text)
})

test('counts the pods of an earlier revision apart', () => {
  const deployment = failed([true, false])
  const components = deployment.components.map((component) => ({
    ...component,
    pods: component.pods.map((pod) => (pod.ready ? { ...pod, former: true } : pod)),
  }))
  const answers = '1 pod of an earlier revision still answers'
  expect(sentence({ ...deployment, components })).toBe(`${FAILED}; ${answers}`)
  expect(sentence({ ...deployment, components, state: 'progressing', reason: '' })).toBe(
    `support-agent is starting: 0 of 1 new pods ready; ${answers}`,
  )
})

test('a run that has ended well counts as a pod that runs', () => {
  const deployment = failed([true, true, true], [false])
  const run = { name: 'load-1', phase: 'Succeeded', ready: false, restarts: 0 }
  const components = deployment.components.map((each, at) =>
    at === 1 ? { ...each, pods: [run] } : each,
  )
  expect(sentence({ ...deployment, state: 'ready', components })).toBe(
    'support-agent is ready: all 4 pods run',
  )
})
