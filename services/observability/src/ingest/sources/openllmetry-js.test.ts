import { expect, test } from 'vitest'

import { messagesOf } from '../../domain/span-messages.ts'
import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

function factsOf(text: string, scope = '@traceloop/instrumentation-openai') {
  const messages = [{ role: 'user', parts: [{ type: 'text', content: text }] }]
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify(messages),
  }
  return readSpanFacts(sentSpan({ scope, attributes }))
}

const items = JSON.stringify([
  { role: 'user', content: 'Where is it?' },
  { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c1', output: 'In the hall.' },
])

test('reads the conversation that is JSON in the text of a message', () => {
  const facts = factsOf(items)
  expect(facts.input).toBe('Where is it?')
  expect(messagesOf(facts).input).toEqual([
    { role: 'user', text: 'Where is it?' },
    { role: 'assistant', calls: [{ id: 'c1', name: 'find', arguments: '{}' }] },
    { role: 'tool', result_ids: ['c1'], results: ['In the hall.'] },
  ])
})

test.each(['Where is it?', '[1, 2]', '{"role":"user","content":"x"}', '["a"]', '[{"a":1}]'])(
  'shows other text as it is: %s',
  (text) => {
    expect(factsOf(text).input).toBe(text)
  },
)

test('a user of another library may write JSON', () => {
  expect(factsOf(items, 'other').input).toBe(items)
})
