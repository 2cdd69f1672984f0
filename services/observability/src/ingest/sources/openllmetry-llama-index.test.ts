import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (kind: string, output: object, more: Record<string, string> = {}) =>
  readSpanFacts(
    sentSpan({
      scope: 'opentelemetry.instrumentation.llamaindex',
      attributes: {
        'traceloop.span.kind': kind,
        'traceloop.entity.output': JSON.stringify(output),
        ...more,
      },
    }),
  )

const call = { 'tool.name': 'get_weather', 'tool.arguments': '{"city":"Paris"}' }

test('a task with the name of a tool is its call', () => {
  const output = { tool_output: { raw_output: '21 degrees', is_error: false } }
  expect(read('task', output, call)).toMatchObject({
    type: 'tool',
    toolName: 'get_weather',
    input: '{"city":"Paris"}',
    output: '21 degrees',
    isError: false,
  })
  const failed = { tool_output: { raw_output: 'no station', is_error: true } }
  expect(read('task', failed, call)).toMatchObject({ output: 'no station', isError: true })
})

test('a workflow has the response of its agent, and other steps say nothing', () => {
  const blocks = [{ block_type: 'text', text: 'It is sunny.' }]
  expect(read('workflow', { result: { response: { role: 'assistant', blocks } } })).toMatchObject({
    type: 'chain',
    output: 'It is sunny.',
  })
  const input = [{ role: 'user', blocks }]
  expect(read('task', { input })).toMatchObject({ type: 'chain', input: '', output: '' })
  expect(read('workflow', { result: null }).output).toBe('')
})
