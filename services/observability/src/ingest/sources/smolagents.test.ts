import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (kind: string, input: object) =>
  readSpanFacts(
    sentSpan({
      scope: 'openinference.instrumentation.smolagents',
      attributes: { 'openinference.span.kind': kind, 'input.value': JSON.stringify(input) },
    }),
  ).input

test('the input of an agent is its task, and a step has none', () => {
  expect(read('AGENT', { task: 'Where is it?', stream: false })).toBe('Where is it?')
  expect(read('CHAIN', { memory_step: 'ActionStep(step_number=1)' })).toBe('')
})

test('the input of a tool is its arguments', () => {
  const call = { args: [], sanitize_inputs_outputs: true, kwargs: { city: 'Paris' } }
  expect(read('TOOL', call)).toBe('{"city":"Paris"}')
  const positional = { ...call, args: ['Paris'], kwargs: {} }
  expect(read('TOOL', positional)).toBe(JSON.stringify(positional))
})
