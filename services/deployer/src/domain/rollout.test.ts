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
  lastExit: undefined,
  reason: '',
  stuckFrom: Number.POSITIVE_INFINITY,
  templateHash: 'new',
}
const stuck = { ...pod, stuckFrom: 0, reason: 'ImagePullBackOff: no such image' }
const waiting = { ...facts, availableReplicas: 0 }

describe('evaluateComponent', () => {
  test.each<[string, WorkloadFacts | undefined, PodFacts[], boolean, string, string]>([
    ['all pods available', facts, [], false, 'ready', ''],
    [
      'not yet observed by its controller',
      { ...facts, observedGeneration: 1 },
      [stuck],
      false,
      'progressing',
      '',
    ],
    [
      'a generation older than the applied one',
      { ...facts, generation: 1, observedGeneration: 1 },
      [],
      false,
      'progressing',
      '',
    ],
    ['another object of the same name', { ...facts, uid: 'u0' }, [], false, 'progressing', ''],
    ['old pods still exist', { ...facts, currentReplicas: 2 }, [], false, 'progressing', ''],
    ['pods starting', waiting, [pod], false, 'progressing', ''],
    ['a pod that is stuck', waiting, [stuck], false, 'failed', stuck.reason],
    [
      'a pod that becomes stuck later',
      waiting,
      [{ ...stuck, stuckFrom: NOW + 1 }],
      false,
      'progressing',
      stuck.reason,
    ],
    [
      'pods rejected just now',
      { ...waiting, problem: 'FailedCreate: no', problemFrom: NOW + 1 },
      [],
      false,
      'progressing',
      'FailedCreate: no',
    ],
    [
      'only an old pod stuck',
      waiting,
      [{ ...stuck, templateHash: 'old' }, pod],
      false,
      'progressing',
      '',
    ],
    [
      'a stuck pod that is terminating',
      waiting,
      [{ ...stuck, isTerminating: true }],
      false,
      'progressing',
      '',
    ],
    [
      'progress deadline exceeded',
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
      'was ready, not yet observed by its controller',
      { ...facts, observedGeneration: 1 },
      [],
      true,
      'progressing',
      '',
    ],
    [
      'was ready, a pod is gone and its replacement is not ready',
      { ...waiting, updatedReplicas: 0 },
      [pod],
      true,
      'degraded',
      '',
    ],
    ['was ready, a pod is stuck', waiting, [stuck], true, 'failed', stuck.reason],
    ['missing', undefined, [], false, 'failed', 'the Deployment is missing'],
    ['was ready, missing', undefined, [], true, 'degraded', 'the Deployment is missing'],
    [
      'scaled to zero',
      { ...facts, replicas: 0, currentReplicas: 0, updatedReplicas: 0, availableReplicas: 0 },
      [],
      false,
      'ready',
      '',
    ],
  ])('returns the state of a component: %s', (_what, seen, pods, wasReady, state, reason) => {
    expect(
      evaluateComponent({ name: 'agent', workload }, seen, pods, {
        wasReady,
        deployedAt: 0,
        now: NOW,
      }),
    ).toEqual({
      name: 'agent',
      state,
      reason,
    })
  })

  test.each<[string, Partial<WorkloadFacts & { kind: 'Job' }>, PodFacts[], string]>([
    ['running', {}, [{ ...pod, phase: 'Running' }], 'ready'],
    ['waiting', {}, [pod], 'progressing'],
    ['complete', { isComplete: true }, [], 'ready'],
    ['failed', { problem: 'BackoffLimitExceeded: often' }, [], 'failed'],
    ['with a stuck pod', {}, [stuck], 'failed'],
  ])('returns the state of a Job: %s', (_what, seen, pods, state) => {
    const job = {
      kind: 'Job',
      uid: 'j',
      isComplete: false,
      problem: '',
      templateHash: 'new',
      ...seen,
    } as const
    const expected = { name: 'ingestion-x', workload: { kind: 'Job', uid: 'j', generation: 1 } }
    expect(
      evaluateComponent(expected, job, pods, { wasReady: false, deployedAt: 0, now: NOW }).state,
    ).toBe(state)
  })

  test('is ready without a workload, and failed when the workload was rejected', () => {
    expect(
      evaluateComponent({ name: 'x', workload: undefined }, undefined, [], {
        wasReady: false,
        deployedAt: 0,
        now: NOW,
      }).state,
    ).toBe('ready')
    const refused = { name: 'x', workload: { ...workload, uid: '' } }
    expect(
      evaluateComponent(refused, undefined, [], { wasReady: false, deployedAt: 0, now: NOW }),
    ).toMatchObject({
      state: 'failed',
      reason: 'the cluster rejected the Deployment',
    })
  })
})

test('a new workload may be missing for a while, because the watch may be late', () => {
  const workload = { kind: 'Deployment', uid: 'uid', generation: 1 }
  const missingAfter = (ms: number, wasReady = false) =>
    evaluateComponent({ name: 'agent', workload }, undefined, [], {
      wasReady,
      deployedAt: NOW,
      now: NOW + ms,
    }).state
  expect([missingAfter(29_999), missingAfter(30_000), missingAfter(0, true)]).toEqual([
    'progressing',
    'failed',
    'degraded',
  ])
})

test('evaluateDeployment returns the worst state of the components', () => {
  const states = (...all: ('ready' | 'progressing' | 'degraded' | 'failed')[]) =>
    evaluateDeployment(all.map((state) => ({ name: state, state, reason: `is ${state}` })))
  expect(states('ready')).toEqual({ state: 'ready', reason: '' })
  expect(states('ready', 'progressing')).toEqual({ state: 'progressing', reason: 'is progressing' })
  expect(states('progressing', 'degraded')).toMatchObject({ state: 'degraded' })
  expect(states('degraded', 'failed', 'ready')).toEqual({ state: 'failed', reason: 'is failed' })
})
