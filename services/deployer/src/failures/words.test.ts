import { expect, test } from 'vitest'

import { creationWords, otherWords, schedulingWords, startWords } from './words.ts'

const RUNC =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc ' +
  'create failed: unable to start container process: error during container init: '

// Each is what a node, the scheduler or the API server reports.
test.each([
  [startWords, `${RUNC}exec: "srv": executable file not found in $PATH`, 'has no program srv'],
  [startWords, `${RUNC}exec: "/srv": stat /srv: no such file or directory`, 'has no program /srv'],
  [startWords, `${RUNC}exec: "/srv": permission denied`, 'may not execute /srv'],
  [startWords, `${RUNC}exec /srv: exec format error`, 'another processor architecture'],
  [startWords, `${RUNC}chdir to cwd ("/root") set in config.json failed`, 'may not enter /root'],
  [startWords, 'Error: no command specified', 'defines no command'],
  [startWords, 'secret "bot-agent-1f" not found', 'the Secret bot-agent-1f is missing'],
  [
    schedulingWords,
    '0/2 nodes are available: 1 Insufficient memory, 2 Insufficient nvidia.com/gpu. preemption: …',
    'no node has enough free memory and nvidia.com/gpu',
  ],
  [schedulingWords, '0/1 nodes are available: 1 Too many pods.', 'as many pods as it may'],
  [
    creationWords,
    'pods "x" is forbidden: exceeded quota: slipway, requested: pods=1, used: pods=3, limited: …',
    'no room for another pod (pods=1)',
  ],
  [
    creationWords,
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    'security rules of the cluster',
  ],
  [otherWords, 'Pod ephemeral local storage usage exceeds the total limit', 'than it may'],
])('%o puts a message into words: %s', (words, original, said) => {
  expect(words(original)).toEqual({ message: expect.stringContaining(said), original })
})

test('says how much a pod used that its node has removed', () => {
  const message =
    'The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 9Mi. ' +
    'Container agent was using 3224832Ki, request is 100Mi, has larger consumption of it. '
  expect(otherWords(message).message).toBe(
    'the node ran out of ephemeral-storage and removed the pod, which used 3224832Ki',
  )
  expect(otherWords('The node was low on resource: memory.').message).toMatch(/out of memory and/)
})

test('repeats a message that it does not know, within a bound', () => {
  expect(startWords('something else')).toEqual({ message: 'something else', original: '' })
  expect(startWords('x'.repeat(10_000)).message).toHaveLength(500)
})

test.each([
  'Pod ephemeral local storage usage exceeds the total limit of containers 10Gi. ',
  'Container agent exceeded its local ephemeral storage limit "10Gi". ',
  'Usage of EmptyDir volume "tmp" exceeds the limit "10Gi". ',
])('names the limit of a pod that wrote too much: %s', (message) => {
  expect(otherWords(message).message).toContain('the pod wrote more than 10Gi, its limit')
})
