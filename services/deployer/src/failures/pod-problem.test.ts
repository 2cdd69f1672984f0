import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import type { ClusterEvent } from '../domain/component-failure.ts'
import { checkStops } from './check-stop.ts'
import { currentEvent, podProblem } from './pod-problem.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const ago = (seconds: number) => new Date(NOW - seconds * 1000)

function podOf(container: object): V1Pod {
  const httpGet = { path: '/healthz', port: 8080 }
  return {
    metadata: { uid: 'u1' },
    spec: {
      containers: [
        {
          name: 'agent',
          startupProbe: { httpGet, periodSeconds: 1, failureThreshold: 300 },
          readinessProbe: { httpGet },
          livenessProbe: { httpGet },
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
const NO_ANSWER = unhealthy(
  'Startup probe failed: Get "http://10.0.0.1:8080/healthz": dial tcp: connect: connection refused',
)
const LIVENESS = unhealthy('Liveness probe failed: HTTP probe failed with statuscode: 500')
const lasted = (seconds: number, exitCode: number, reason = 'Error') => ({
  lastState: {
    terminated: { exitCode, reason, startedAt: ago(seconds + 10), finishedAt: ago(10) },
  },
  restartCount: 1,
})
const ended = (exitCode: number, reason = 'Error', seconds = 5) => ({
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  ...lasted(seconds, exitCode, reason),
})
const ENDED_BY_ITSELF = 'the container exited with code 0, but must keep running'
const STARTUP = 'the startup check (GET /healthz on port 8080)'

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
    ended(143, 'Error', 300),
    NOT_FOUND,
    'Unhealthy',
    'the startup check (GET /healthz on port 8080) was answered with 404, so the container was ' +
      'restarted',
  ],
  [
    'a check that failed before the program crashed',
    ended(1),
    NO_ANSWER,
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
  ['a program that ends', ended(0, 'Completed'), undefined, 'CrashLoopBackOff', ENDED_BY_ITSELF],
  [
    'a program that ends before its check could stop it',
    ended(0, 'Completed'),
    NO_ANSWER,
    'CrashLoopBackOff',
    ENDED_BY_ITSELF,
  ],
  [
    'a program that runs again after it has ended',
    { ...running(3), ...lasted(5, 0, 'Completed') },
    NO_ANSWER,
    'Error',
    ENDED_BY_ITSELF,
  ],
  [
    'a program that has ended again',
    {
      ...lasted(5, 0),
      state: { terminated: { exitCode: 0, startedAt: ago(6), finishedAt: ago(1) } },
    },
    NO_ANSWER,
    'Error',
    ENDED_BY_ITSELF,
  ],
  [
    'a program that was killed long after its startup check',
    ended(137, 'Error', 86_400),
    NO_ANSWER,
    'CrashLoopBackOff',
    'the container exited with code 137 (killed)',
  ],
  [
    'a program that its startup check has stopped, and that handles SIGTERM',
    { ...running(3), ...lasted(301, 0, 'Completed') },
    NO_ANSWER,
    'Unhealthy',
    `${STARTUP} failed, because nothing listens there, so the container was restarted`,
  ],
  [
    'a check that fails after the program has started again',
    { ...running(60), ...lasted(5, 0, 'Completed'), started: true },
    unhealthy('Readiness probe failed: HTTP probe failed with statuscode: 503'),
    'Unhealthy',
    'the readiness check (GET /healthz on port 8080) was answered with 503',
  ],
])('explains %s', (_what, container, event, reason, message) => {
  const records = { event, stops: [] }
  expect(podProblem(podOf(container), records, NOW)).toMatchObject({ reason, message })
})

const killing = (message: string, secondsAgo: number, uid = 'u1') => ({
  metadata: {},
  involvedObject: { kind: 'Pod', uid },
  reason: 'Killing',
  message,
  lastTimestamp: ago(secondsAgo),
})
const STOPPED = 'Container agent failed liveness probe, will be restarted'
const LIVENESS_NAME = 'the liveness check (GET /healthz on port 8080)'

test.each([
  ['its event', LIVENESS, killing(STOPPED, 11), `${LIVENESS_NAME} was answered with 500`],
  ['an event, while it starts', NO_ANSWER, killing(STOPPED, 11), `${LIVENESS_NAME} failed`],
  ['none of an earlier run', LIVENESS, killing(STOPPED, 90), undefined],
  ['none of another pod', LIVENESS, killing(STOPPED, 11, 'u0'), undefined],
  ['none of another container', LIVENESS, killing(STOPPED.replace('agent', 'b'), 11), undefined],
  ['none of an undeploy', LIVENESS, killing('Stopping container agent', 11), undefined],
])('recognizes a stop that a check has caused by %s', (_what, event, stop, check) => {
  const container = { ...running(3), ...lasted(60, 0, 'Completed') }
  const message = check === undefined ? ENDED_BY_ITSELF : `${check}, so the container was restarted`
  const records = { event, stops: checkStops([stop]) }
  expect(podProblem(podOf(container), records, NOW)?.message).toBe(message)
})

test('says nothing about a program that has just ended for the first time', () => {
  const container = { state: { terminated: { exitCode: 0 } } }
  const records = { event: NO_ANSWER, stops: [] }
  expect(podProblem(podOf(container), records, NOW)).toBeUndefined()
})

test('says nothing about a container that has just started', () => {
  expect(podProblem(podOf(running(3)), { event: undefined, stops: [] }, NOW)).toBeUndefined()
})

test.each([
  ['an event since the container started', 'Failed: failed to sync secret cache', 1],
  ['no event of before the container started', undefined, 9],
])('explains a pod by %s', (_what, said, secondsAgo) => {
  const lastTime = ago(secondsAgo)
  const message = 'failed to sync secret cache'
  const event = { reason: 'Failed', message, count: 1, firstTime: lastTime, lastTime }
  const problem = podProblem(podOf(running(3)), { event, stops: [] }, NOW)
  expect(problem && `${problem.reason}: ${problem.message}`).toBe(said)
})

const UNBOUND =
  '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found'
const scheduled = (status: string, message: string, secondsAgo: number) => {
  const condition = { type: 'PodScheduled', reason: 'Unschedulable', status, message }
  return { status: { conditions: [{ ...condition, lastTransitionTime: ago(secondsAgo) }] } }
}

test.each([
  ['is being created', 5, undefined],
  ['is not created', 90, 'the pod waits for its volume, which the cluster has not created yet'],
])('a volume that %s', (_what, secondsAgo, message) => {
  const pod = scheduled('False', UNBOUND, secondsAgo)
  expect(podProblem(pod, { event: undefined, stops: [] }, NOW)?.message).toBe(message)
})

test('an event about the search for a node is past when the node is found', () => {
  const lastTime = ago(5)
  const past = { reason: 'FailedScheduling', message: UNBOUND, count: 1, lastTime }
  const event = { ...past, firstTime: lastTime }
  expect(currentEvent(event, scheduled('True', '', 3))).toBeUndefined()
  expect(currentEvent(event, scheduled('False', UNBOUND, 3))).toBe(event)
  expect(currentEvent(NOT_FOUND, scheduled('True', '', 3))).toBe(NOT_FOUND)
})
