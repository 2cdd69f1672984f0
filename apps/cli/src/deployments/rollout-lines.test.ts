import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { hintLines, rolloutLines } from './rollout-lines.ts'

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
const textsOf = (lines: ReturnType<typeof rolloutLines>) => lines.map(({ text }) => text)

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
    50,
  )
  expect(textsOf(lines)).toEqual([
    'agent: progressing',
    '  pod agent-a: ready',
    '  pod agent-b: CrashLoopBackOff: the container exited with code 3, 2 restarts ' +
      '(last exit: Error, code 3)',
    '  pod agent-c: Pending',
  ])
})

test('fits a low terminal, with what is not ready', () => {
  const pods = Array.from({ length: 30 }, (_, index) => pod(`agent-with-a-long-name-${index}`))
  const waiting = pod('agent-that-waits-for-room-on-a-node', { ready: false, phase: 'Pending' })
  const lines = rolloutLines([component('agent', 'progressing', [...pods, waiting])], 5)
  expect(textsOf(lines)).toEqual([
    'agent: progressing',
    '  pod agent-that-waits-for-room-on-a-node: Pending',
    'and 30 more',
  ])
})

test('says during the wait what the log says, and nothing that is a guess', () => {
  const failure = (next: string, steps?: string[]): Schemas['ComponentFailure'] => ({
    component: 'agent',
    reason: 'Unhealthy',
    message: '',
    next: [next, ...(steps ?? [])],
    ...(steps && { log_steps: steps }),
  })
  const lines = hintLines([
    failure('The log names OPENAI_API_KEY. If the agent refused the value, deploy again.', [
      'The log says that the program listens on port 9090: correct `port` in the spec.',
    ]),
    failure('The log says a lot, and the program may still start.'),
    failure('Make the program answer this check.'),
  ])
  expect(textsOf(lines)).toEqual([
    'agent: The log says that the program listens on port 9090: correct `port` in astroai.yml ' +
      '(then slipway push).',
  ])
})
