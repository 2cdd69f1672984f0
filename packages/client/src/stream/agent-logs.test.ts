import { expect, test } from 'vitest'

import { parseAgentLogLine } from './agent-logs.ts'

const TIME = '2026-11-20T09:05:01.250000Z'

test.each([
  [`${TIME} agent-0[agent] hello [x] event Y: z`, 'agent-0', 'agent', 'hello [x] event Y: z'],
  [`${TIME} agent-0[agent] `, 'agent-0', 'agent', ''],
  [`${TIME} agent-0[agent]   indented`, 'agent-0', 'agent', '  indented'],
])('parses the line %j', (line, pod, container, text) => {
  expect(parseAgentLogLine(line)).toEqual({ kind: 'line', time: TIME, pod, container, text })
})

test.each([
  [`${TIME} agent-0 event BackOff: restarting [agent] again`, 'restarting [agent] again'],
  [`${TIME} agent-0 event BackOff: `, ''],
])('parses the event %j', (line, text) => {
  const event = { kind: 'event', time: TIME, object: 'agent-0', reason: 'BackOff', text }
  expect(parseAgentLogLine(line)).toEqual(event)
})
