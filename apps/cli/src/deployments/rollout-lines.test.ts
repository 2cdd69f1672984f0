import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { widthOf } from '../output/width.ts'
import { rolloutLines } from './rollout-lines.ts'

const pod = (name: string, values: Partial<Schemas['Pod']> = {}): Schemas['Pod'] => ({
  name,
  phase: 'Running',
  ready: true,
  restarts: 0,
  ...values,
})
const component = (
  name: string,
  state: Schemas['DeploymentState'],
  pods: Schemas['Pod'][] = [],
): Schemas['Component'] => ({
  name,
  kind: 'agent',
  state,
  pod_count: pods.length,
  ready_pod_count: pods.filter(({ ready }) => ready).length,
  pods,
})
const plain = { columns: 200, most: 50, paint: (text: string) => text }

test('says what each component and pod does', () => {
  const crashed = pod('agent-b', {
    ready: false,
    restarts: 2,
    reason: 'CrashLoopBackOff: the container exited with code 3',
    last_exit: { reason: 'Error', exit_code: 3 },
  })
  const starting = pod('agent-c', { ready: false, phase: 'Pending' })
  const lines = rolloutLines(
    [component('agent', 'progressing', [pod('agent-a'), crashed, starting])],
    plain,
  )
  expect(lines).toEqual([
    'agent: progressing',
    '  pod agent-a: ready',
    '  pod agent-b: CrashLoopBackOff: the container exited with code 3, 2 restarts ' +
      '(last exit: Error, code 3)',
    '  pod agent-c: Pending',
  ])
})

test('fits a narrow and low terminal, with what is not ready', () => {
  const pods = Array.from({ length: 30 }, (_, index) => pod(`agent-with-a-long-name-${index}`))
  const waiting = pod('agent-that-waits-for-room-on-a-node', { ready: false, phase: 'Pending' })
  const lines = rolloutLines([component('agent', 'progressing', [...pods, waiting])], {
    ...plain,
    columns: 30,
    most: 5,
  })
  expect(lines).toEqual(['agent: progressing', '  pod agent-that-waits-for-ro…', 'and 30 more'])
  expect(lines.every((line) => widthOf(line) <= 30)).toBe(true)
})

test('reasons of pods cannot change the terminal', () => {
  const [, line] = rolloutLines(
    [component('agent', 'failed', [pod('a', { ready: false, reason: 'x\u001b[2J\ny' })])],
    plain,
  )
  expect(line).toBe('  pod a: x y')
})
