import { expect, test } from 'vitest'

import { renderForTerminal } from '../output/render-terminal.ts'
import { failureView } from './failure-view.ts'

test('says what failed, why, what it logged and what to do', () => {
  const [block] = failureView([
    {
      component: 'agent',
      pod: 'notes-agent-x2k4p',
      container: 'agent',
      reason: 'CrashLoopBackOff',
      message: 'the container exited with code 3',
      event: {
        reason: 'BackOff',
        message: 'Back-off restarting failed container',
        count: 3,
        first_seen: '2026-11-22T12:00:00.000Z',
        last_seen: '2026-11-22T12:01:00.000Z',
      },
      log_lines: ['starting', '\u001b[31mno TOKEN\u001b[0m\u0007'],
      next: ['Deploy with a higher limit: "overrides": {"agent.replicas": 2}.'],
    },
  ])
  expect(block && block.kind !== 'hint' && renderForTerminal(block, { columns: 80, color: false }))
    .toBe(`\
agent, notes-agent-x2k4p: CrashLoopBackOff: the container exited with code 3
event BackOff: Back-off restarting failed container
last lines of its log:
  starting
  no TOKEN
what to do:
  Deploy with a higher limit: --set 'agent.replicas=2'.`)
})
