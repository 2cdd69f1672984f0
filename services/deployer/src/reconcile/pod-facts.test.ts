import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { podFacts } from './pod-facts.ts'

const CREATED = '2026-11-21T12:00:00Z'
const SOON = Date.parse(CREATED) + 30_000

function podOf(status: object, container: object = {}): V1Pod {
  const containerStatus = {
    name: 'agent',
    restartCount: 0,
    ready: false,
    image: '',
    imageID: '',
    ...container,
  }
  return {
    metadata: { name: 'p', creationTimestamp: CREATED as unknown as Date },
    status: {
      phase: 'Pending',
      containerStatuses: [containerStatus as V1ContainerStatus],
      ...status,
    },
  }
}

const waiting = (reason: string, message?: string) => ({ state: { waiting: { reason, message } } })
const ended = { terminated: { exitCode: 0, reason: 'Completed' } }
const crashed = { terminated: { exitCode: 3, reason: 'Error', message: 'password is hunter2' } }

test.each<[string, V1Pod, string, number]>([
  ['no status yet', podOf({}), '', Infinity],
  ['starting normally', podOf({}, waiting('ContainerCreating')), '', Infinity],
  [
    'an image that cannot be pulled',
    podOf({}, waiting('ImagePullBackOff', 'dial tcp 10.0.0.5:6443: connect: connection refused')),
    'ImagePullBackOff: the image could not be pulled; check its reference, and that its registry ' +
      'is reachable',
    0,
  ],
  [
    'a busy kubelet',
    podOf({}, waiting('CreateContainerConfigError', 'late')),
    'CreateContainerConfigError: late',
    SOON,
  ],
  [
    'a kubelet that has not read the config map yet',
    podOf({}, waiting('CreateContainerConfigError', 'failed to sync configmap cache: timed out')),
    'CreateContainerConfigError: failed to sync configmap cache: timed out',
    Infinity,
  ],
  [
    'a first crash',
    podOf({}, { state: crashed }),
    'Error: the container exited with code 3',
    Infinity,
  ],
  [
    'a crash loop',
    podOf(
      {},
      { ...waiting('CrashLoopBackOff', 'back-off 10s'), lastState: crashed, restartCount: 1 },
    ),
    'CrashLoopBackOff: the container exited with code 3',
    0,
  ],
  [
    'a crash loop while the container runs',
    podOf({ phase: 'Running' }, { state: { running: {} }, lastState: crashed, restartCount: 2 }),
    'CrashLoopBackOff: the container exited with code 3',
    0,
  ],
  [
    'a program that ends again and again without an error',
    podOf({ phase: 'Running' }, { state: { running: {} }, lastState: ended, restartCount: 2 }),
    'CrashLoopBackOff: the container exited with code 0, but must keep running',
    0,
  ],
  [
    'out of memory',
    podOf({}, { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }),
    'OOMKilled: the container used more memory than its limit and was killed',
    Infinity,
  ],
  [
    'no node with room',
    podOf({
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' },
      ],
    }),
    'Unschedulable: no node',
    Infinity,
  ],
  [
    'a volume that is being created',
    podOf({
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
        },
      ],
    }),
    'the pod waits for its volume, which the cluster has not created yet',
    Infinity,
  ],
])('explains why a pod is not ready: %s', (_what, pod, reason, stuckFrom) => {
  expect(podFacts(pod)).toMatchObject({ isReady: false, reason, stuckFrom })
})

test('gives no reason for a ready pod', () => {
  const pod = podOf(
    { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    { lastState: crashed, restartCount: 5 },
  )
  expect(podFacts(pod)).toMatchObject({ isReady: true, reason: '', restarts: 5 })
})

test('says how the container that restarted last has ended', () => {
  const oom = { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-21T12:05:00Z' }
  const running = { state: { running: {} }, ready: true }
  const restarted = podOf({}, { ...running, restartCount: 1, lastState: { terminated: oom } })
  expect(podFacts(restarted).lastExit).toEqual({
    reason: 'OOMKilled',
    exitCode: 137,
    time: '2026-11-21T12:05:00.000Z',
  })
  const [earlier] =
    podOf({}, { ...running, restartCount: 3, lastState: crashed }).status?.containerStatuses ?? []
  if (earlier) restarted.status?.containerStatuses?.push(earlier)
  expect(podFacts(restarted).lastExit).toMatchObject({ reason: 'OOMKilled' })
  expect(podFacts(podOf({}, running)).lastExit).toBeUndefined()
})

const checked = {
  name: 'agent',
  startupProbe: { httpGet: { path: '/', port: 8080 }, failureThreshold: 300, periodSeconds: 1 },
}
const at = (seconds: number) => new Date(Date.parse(CREATED) + seconds * 1000)

function checkedPod(container: object, readySince = 1): V1Pod {
  const notReady = { type: 'Ready', status: 'False', lastTransitionTime: at(readySince) }
  const pod = podOf({ phase: 'Running', conditions: [notReady] }, container)
  pod.spec = { containers: [checked] }
  return pod
}

test('an agent that never passes its check fails when the time for its start is over', () => {
  const [seconds, reason] = [
    300,
    'NotReady: the startup check (GET / on port 8080) has not succeeded yet',
  ]
  const running = checkedPod({ state: { running: { startedAt: at(2) } }, started: false })
  expect(podFacts(running)).toMatchObject({ reason, stuckFrom: at(2 + seconds).getTime() })
  const killed = { exitCode: 137, reason: 'Error', startedAt: at(2), finishedAt: at(332) }
  for (const state of [
    { running: { startedAt: at(333) } },
    { waiting: { reason: 'CrashLoopBackOff' } },
  ])
    expect(
      podFacts(
        checkedPod({ state, started: false, restartCount: 1, lastState: { terminated: killed } }),
      ),
    ).toMatchObject({
      reason:
        'Unhealthy: the startup check (GET / on port 8080) failed, so the container was restarted',
      stuckFrom: 0,
    })
})

test('an agent that was ready before it ended may still start', () => {
  const ended = { exitCode: 143, reason: 'Error', startedAt: at(2), finishedAt: at(332) }
  const again = { state: { running: { startedAt: at(333) } }, started: false, restartCount: 1 }
  const pod = checkedPod({ ...again, lastState: { terminated: ended } }, 332)
  expect(podFacts(pod)).toMatchObject({ stuckFrom: Infinity })
})

test('a started agent without a ready pod is not late for its start', () => {
  const pod = checkedPod({ state: { running: { startedAt: at(2) } }, started: true })
  expect(podFacts(pod).stuckFrom).toBe(Infinity)
})
