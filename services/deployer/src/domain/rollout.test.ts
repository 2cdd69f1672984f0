import { describe, expect, test } from 'vitest'

import {
  evaluateComponent,
  evaluateDeployment,
  type PodFacts,
  type WorkloadFacts,
} from './rollout.ts'

const NOW = 1_000_000
const workload = { kind: 'Deployment', uid: 'u1', generation: 2 }
const facts: WorkloadFacts & { kind: 'Deployment' } = {
  kind: 'Deployment',
  uid: 'u1',
  generation: 2,
  observedGeneration: 2,
  replicas: 1,
  currentReplicas: 1,
  updatedReplicas: 1,
  availableReplicas: 1,
  problem: '',
  problemFrom: 0,
  templateHash: 'new',
}
const pod: PodFacts = {
  name: 'p',
  phase: 'Pending',
  isReady: false,
  isTerminating: false,
  restarts: 0,
  reason: '',
  stuckFrom: Number.POSITIVE_INFINITY,
  templateHash: 'new',
}
const stuck = { ...pod, stuckFrom: 0, reason: 'ImagePullBackOff: no such image' }
const waiting = { ...facts, availableReplicas: 0 }

describe('evaluateComponent', () => {
  test.each<[string, WorkloadFacts | undefined, PodFacts[], boolean, string, string]>([
    ['everything up', facts, [], false, 'ready', ''],
    [
      'not yet seen by its controller',
      { ...facts, observedGeneration: 1 },
      [stuck],
      false,
      'progressing',
      '',
    ],
    [
      'an older generation than applied',
      { ...facts, generation: 1, observedGeneration: 1 },
      [],
      false,
      'progressing',
      '',
    ],
    ['another object of that name', { ...facts, uid: 'u0' }, [], false, 'progressing', ''],
    ['former pods still there', { ...facts, currentReplicas: 2 }, [], false, 'progressing', ''],
    ['pods on their way', waiting, [pod], false, 'progressing', ''],
    ['a pod that is stuck', waiting, [stuck], false, 'failed', stuck.reason],
    [
      'a pod that is soon stuck',
      waiting,
      [{ ...stuck, stuckFrom: NOW + 1 }],
      false,
      'progressing',
      stuck.reason,
    ],
    [
      'pods refused a moment ago',
      { ...waiting, problem: 'FailedCreate: no', problemFrom: NOW + 1 },
      [],
      false,
      'progressing',
      'FailedCreate: no',
    ],
    [
      'only a former pod stuck',
      waiting,
      [{ ...stuck, templateHash: 'old' }, pod],
      false,
      'progressing',
      '',
    ],
    [
      'a stuck pod that goes',
      waiting,
      [{ ...stuck, isTerminating: true }],
      false,
      'progressing',
      '',
    ],
    [
      'the deadline',
      { ...waiting, problem: 'ProgressDeadlineExceeded: late' },
      [pod],
      false,
      'failed',
      'ProgressDeadlineExceeded: late',
    ],
    ['was ready, a pod is missing', waiting, [pod], true, 'degraded', ''],
    [
      'was ready, a pod is replaced',
      { ...facts, currentReplicas: 2, updatedReplicas: 1 },
      [pod],
      true,
      'progressing',
      '',
    ],
    [
      'was ready, not yet seen by its controller',
      { ...facts, observedGeneration: 1 },
      [],
      true,
      'progressing',
      '',
    ],
    [
      'was ready, a pod is replaced after it went',
      { ...waiting, updatedReplicas: 0 },
      [pod],
      true,
      'degraded',
      '',
    ],
    ['was ready, a pod is stuck', waiting, [stuck], true, 'failed', stuck.reason],
    ['gone', undefined, [], false, 'failed', 'the Deployment is missing'],
    ['gone after it was ready', undefined, [], true, 'degraded', 'the Deployment is missing'],
    [
      'scaled to nothing',
      { ...facts, replicas: 0, currentReplicas: 0, updatedReplicas: 0, availableReplicas: 0 },
      [],
      false,
      'ready',
      '',
    ],
  ])('%s', (_what, seen, pods, wasReady, state, reason) => {
    expect(
      evaluateComponent({ name: 'agent', workload }, seen, pods, { wasReady, now: NOW }),
    ).toEqual({
      name: 'agent',
      state,
      reason,
    })
  })

  test.each<[string, Partial<WorkloadFacts & { kind: 'Job' }>, PodFacts[], string]>([
    ['runs', {}, [{ ...pod, phase: 'Running' }], 'ready'],
    ['waits', {}, [pod], 'progressing'],
    ['is complete', { isComplete: true }, [], 'ready'],
    ['failed', { problem: 'BackoffLimitExceeded: often' }, [], 'failed'],
    ['can not start', {}, [stuck], 'failed'],
  ])('a Job that %s', (_what, seen, pods, state) => {
    const job = {
      kind: 'Job',
      uid: 'j',
      isComplete: false,
      problem: '',
      templateHash: 'new',
      ...seen,
    } as const
    const expected = { name: 'ingestion-x', workload: { kind: 'Job', uid: 'j', generation: 1 } }
    expect(evaluateComponent(expected, job, pods, { wasReady: false, now: NOW }).state).toBe(state)
  })

  test('what runs nothing is ready, what was refused has failed', () => {
    expect(
      evaluateComponent({ name: 'x', workload: undefined }, undefined, [], {
        wasReady: false,
        now: NOW,
      }).state,
    ).toBe('ready')
    const refused = { name: 'x', workload: { ...workload, uid: '' } }
    expect(evaluateComponent(refused, undefined, [], { wasReady: false, now: NOW })).toMatchObject({
      state: 'failed',
      reason: 'the cluster refused the Deployment',
    })
  })
})

test('a deployment is what its worst component is', () => {
  const states = (...all: ('ready' | 'progressing' | 'degraded' | 'failed')[]) =>
    evaluateDeployment(all.map((state) => ({ name: state, state, reason: `is ${state}` })))
  expect(states('ready')).toEqual({ state: 'ready', reason: '' })
  expect(states('ready', 'progressing')).toEqual({ state: 'progressing', reason: 'is progressing' })
  expect(states('progressing', 'degraded')).toMatchObject({ state: 'degraded' })
  expect(states('degraded', 'failed', 'ready')).toEqual({ state: 'failed', reason: 'is failed' })
})
