import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (output: unknown) =>
  readSpanFacts(
    sentSpan({
      scope: '@arizeai/openinference-instrumentation-langchain',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'requested',
        'output.value': JSON.stringify(output),
      },
    }),
  )

const message = (kwargs: object) => ({
  lc: 1,
  id: ['langchain_core', 'messages', 'AIMessage'],
  kwargs,
})

test('the model is the one that answered, and calls have their ids', () => {
  const kwargs = {
    content: '',
    tool_calls: [{ name: 'search', args: { q: 1 }, type: 'tool_call', id: 'call-1' }],
    response_metadata: { model_name: 'answering' },
  }
  const facts = read({ generations: [[{ message: message(kwargs) }]] })
  expect(facts).toMatchObject({ type: 'model', model: 'answering', output: 'search({"q":1})' })
  expect(facts.messages).toContain('"id":"call-1"')
})

test.each([
  [[]],
  [{ generations: 1 }],
  [{ generations: [[]] }],
  [{ generations: [[{ message: message({ content: 'x', response_metadata: [] }) }]] }],
])('the model is the requested one if the response is %j', (output) => {
  expect(read(output)).toMatchObject({ model: 'requested' })
})
