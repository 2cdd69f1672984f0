import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import type { ClusterEvent } from '../domain/component-failure.ts'
import { podProblem } from './pod-problem.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const ago = (seconds: number) => new Date(NOW - seconds * 1000)

function podOf(container: object): V1Pod {
  const httpGet = { path: '/healthz', port: 8080 }
  return {
    spec: {
      containers: [
        {
          name: 'agent',
          startupProbe: { httpGet },
          readinessProbe: { httpGet },
          resources: { limits: { memory: '96Mi' } },
        },
      ],
    },
    status: {
      containerStatuses: [
        {
          name: 'agent',
          restartCount: 0,
          ready: false,
          image: '',
          imageID: '',
          ...container,
        } as V1ContainerStatus,
      ],
    },
  }
}

const unhealthy = (message: string): ClusterEvent => ({
  reason: 'Unhealthy',
  message,
  count: 1,
  firstTime: ago(9),
  lastTime: ago(1),
})
const NOT_FOUND = unhealthy('Startup probe failed: HTTP probe failed with statuscode: 404')
const running = (seconds: number) => ({ state: { running: { startedAt: ago(seconds) } } })
const ended = (exitCode: number, reason = 'Error') => ({
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode, reason } },
  restartCount: 1,
})

test.each<[string, object, ClusterEvent | undefined, string, string]>([
  [
    'a check that fails',
    running(3),
    NOT_FOUND,
    'Unhealthy',
    'the startup check (GET /healthz on port 8080) was answered with 404',
  ],
  [
    'a check that has stopped the program',
    ended(143),
    NOT_FOUND,
    'Unhealthy',
    'the startup check (GET /healthz on port 8080) was answered with 404, so the container was ' +
      'restarted',
  ],
  [
    'a check that failed before the program crashed',
    ended(1),
    unhealthy('Startup probe failed: dial tcp 10.0.0.1:8080: connect: connection refused'),
    'CrashLoopBackOff',
    'the container exited with code 1',
  ],
  [
    'memory, although a check failed before',
    ended(137, 'OOMKilled'),
    NOT_FOUND,
    'OOMKilled',
    'the container used more memory than its limit of 96Mi and was killed',
  ],
  [
    'a check that has not succeeded for long',
    running(60),
    undefined,
    'NotReady',
    'the startup check (GET /healthz on port 8080) has not succeeded yet',
  ],
  [
    'a program that ends',
    ended(0, 'Completed'),
    undefined,
    'CrashLoopBackOff',
    'the container exited with code 0, but must keep running',
  ],
])('explains %s', (_what, container, event, reason, message) => {
  expect(podProblem(podOf(container), event, NOW)).toMatchObject({ reason, message })
})

test('says nothing about a container that has just started', () => {
  expect(podProblem(podOf(running(3)), undefined, NOW)).toBeUndefined()
})

test.each([
  ['an event since the container started', 'Failed: failed to sync secret cache', 1],
  ['no event of before the container started', undefined, 9],
])('explains a pod by %s', (_what, said, secondsAgo) => {
  const lastTime = ago(secondsAgo)
  const message = 'failed to sync secret cache'
  const event = { reason: 'Failed', message, count: 1, firstTime: lastTime, lastTime }
  const problem = podProblem(podOf(running(3)), event, NOW)
  expect(problem && `${problem.reason}: ${problem.message}`).toBe(said)
})
