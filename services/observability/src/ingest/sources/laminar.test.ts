import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (type: string, attributes: Record<string, string> = {}, name = 'get_weather') =>
  readSpanFacts(sentSpan({ name, attributes: { 'lmnr.span.type': type, ...attributes } }))

test('a function that is observed as a tool has its arguments and its result', () => {
  const tool = { 'lmnr.span.input': '{"city":"Paris"}', 'lmnr.span.output': '"21 degrees"' }
  expect(read('TOOL', tool)).toMatchObject({
    type: 'tool',
    toolName: 'get_weather',
    input: '{"city":"Paris"}',
    output: '21 degrees',
  })
})

test('a function has its result as output, and the session and user of its trace', () => {
  const run = {
    'lmnr.span.output': '"Paris."',
    'lmnr.association.properties.session_id': 's1',
    'lmnr.association.properties.user_id': 'u1',
  }
  expect(read('DEFAULT', run, 'answer')).toMatchObject({
    type: 'chain',
    output: 'Paris.',
    sessionId: 's1',
    userId: 'u1',
  })
})

test('a call of a model is read by the conventions', () => {
  const call = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'small' }
  expect(read('LLM', call)).toMatchObject({ type: 'embedding', model: 'small' })
  expect(read('LLM')).toMatchObject({ type: 'model' })
})
