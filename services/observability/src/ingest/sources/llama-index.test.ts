import { expect, test } from 'vitest'

import { sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const facts = (attributes: TestSentSpan['attributes'] = {}) =>
  readSpanFacts(sentSpan({ scope: 'openinference.instrumentation.llama_index', attributes }))

test('a query engine has its question and answer', () => {
  const engine = {
    'openinference.span.kind': 'CHAIN',
    'input.value': 'Where is the umbrella?',
    'output.value': 'In the hall.',
  }
  expect(facts(engine)).toMatchObject({
    type: 'chain',
    input: 'Where is the umbrella?',
    output: 'In the hall.',
  })
})

test('a step of a workflow has neither', () => {
  const step = {
    'openinference.span.kind': 'CHAIN',
    'input.value': JSON.stringify({ ctx: '<Context object>', ev: 'AgentInput()' }),
    'output.value': "AgentOutput(response=ChatMessage(role='assistant'))",
  }
  expect(facts(step)).toMatchObject({ type: 'chain', input: '', output: '' })
})

test('a tool that reports an error has failed', () => {
  const tool = {
    'openinference.span.kind': 'TOOL',
    'tool.name': 'find',
    'input.value': '{"kwargs":{"city":"Mars"}}',
    'output.value': '{"raw_output":"no weather station","is_error":true}',
  }
  expect(facts(tool)).toMatchObject({
    isError: true,
    input: '{"city":"Mars"}',
    output: 'no weather station',
  })
})
