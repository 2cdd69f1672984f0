import type { CoreV1Event } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { relevantEvent } from './relevant-event.ts'

const AT = '2026-11-22T12:00:00Z'
const after = new Date('2026-11-22T11:00:00Z')

const eventOf = (
  involvedObject: object,
  reason: string,
  message: string,
  more: object = {},
): CoreV1Event => ({
  metadata: {},
  involvedObject,
  reason,
  message,
  type: 'Warning',
  firstTimestamp: AT as unknown as Date,
  lastTimestamp: AT as unknown as Date,
  count: 1,
  ...more,
})
const pod = { kind: 'Pod', name: 'bot-agent-0', uid: 'u1' }
const ofPod = { podUid: 'u1' }

test('is the newest one that says more than the pod’s status', () => {
  const later = { lastTimestamp: '2026-11-22T12:05:00Z' as unknown as Date, count: 295 }
  const events = [
    eventOf(pod, 'Unhealthy', 'Startup probe failed: 404', later),
    eventOf(pod, 'FailedScheduling', 'no room'),
    eventOf(pod, 'BackOff', 'Back-off restarting failed container', {
      ...later,
      lastTimestamp: '2026-11-22T12:06:00Z',
    }),
    eventOf({ ...pod, uid: 'u0' }, 'Evicted', 'of an earlier pod with this name', later),
  ]
  expect(relevantEvent(events, ofPod)).toMatchObject({ reason: 'Unhealthy', count: 295 })
  expect(relevantEvent(events, { podUid: 'u2' })).toBeUndefined()
})

test.each([
  ['ReplicaSet', 'bot-agent-6d5f8c7b9'],
  ['StatefulSet', 'bot-agent'],
  ['PersistentVolumeClaim', 'data-bot-agent-0'],
])('of a component without pods may be about its %s', (kind, name) => {
  const events = [eventOf({ kind, name }, 'FailedCreate', 'exceeded quota')]
  expect(relevantEvent(events, { workload: 'bot-agent', after })).toBeDefined()
  expect(relevantEvent(events, { workload: 'bot', after })).toBeUndefined()
  const afterwards = { workload: 'bot-agent', after: new Date('2026-11-22T13:00:00Z') }
  expect(relevantEvent(events, afterwards)).toBeUndefined()
})

test.each([
  ['Failed', 'Failed to pull image "10.0.0.5:6443/x": connection refused', undefined],
  ['FailedMount', 'mount failed: dial tcp 10.0.0.9:2049', 'a volume could not be mounted'],
  [
    'FailedCreate',
    'failed calling webhook "w": Post "https://w.ns.svc:443": dial tcp 10.96.0.7:443',
    'failed calling webhook "w": a part of the cluster does not respond; ' +
      'operators find it in the events',
  ],
])('does not describe the network: %s %s', (reason, message, shown) => {
  expect(relevantEvent([eventOf(pod, reason, message)], ofPod)?.message).toBe(shown)
})
