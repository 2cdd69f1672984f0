import { expect, test } from 'vitest'

import { sentSpan, type TestSentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

interface Case {
  readonly source: string
  readonly span: TestSentSpan
  readonly shows: object
}

const CASES: readonly Case[] = [
  {
    source: 'conventions, structured',
    span: {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.input.messages': [
          { role: 'user', parts: [{ type: 'text', content: 'Where is it?' }] },
        ],
        'gen_ai.conversation.id': 's1',
        'gen_ai.response.id': 'r1',
        'gen_ai.usage.cache_read.input_tokens': 4n,
        'gen_ai.usage.cache_creation.input_tokens': 3n,
        'gen_ai.usage.input_tokens': 12n,
        'error.type': 'timeout',
      },
      events: [{ name: 'exception', attributes: { 'exception.type': 'TimeoutError' } }],
    },
    shows: {
      type: 'model',
      provider: 'openai',
      input: 'Where is it?',
      sessionId: 's1',
      responseId: 'r1',
      usage: { of: 'call', inputTokens: 12n, cachedTokens: 4n, cacheWrittenTokens: 3n },
      isError: true,
      statusMessage: 'TimeoutError',
    },
  },
  {
    source: 'an agent that names the response before',
    span: {
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': 'resp_68af',
        'ai.settings.context.sessionId': 's1',
      },
    },
    shows: { type: 'agent', sessionId: 's1' },
  },
  {
    source: 'LiteLLM, a call of a tool',
    span: {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [] }]),
        'gen_ai.completion.0.function_call.name': 'find',
        'gen_ai.completion.0.function_call.arguments': '{"what":"umbrella"}',
      },
    },
    shows: { type: 'model', output: 'find({"what":"umbrella"})' },
  },
  {
    source: 'an HTTP server',
    span: {
      attributes: { 'http.request.method': 'POST', 'error.type': '404' },
      events: [{ name: 'exception', attributes: { 'exception.message': 'handled' } }],
    },
    shows: { type: '', input: '', output: '', isError: false, statusMessage: '' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})

test.each<[string, Readonly<Record<string, TestValue>>, string]>([
  [
    'an embedding',
    { 'gen_ai.embeddings.dimension.count': 4n, 'gen_ai.request.model': 'm' },
    'embedding',
  ],
  ['a retrieval', { 'gen_ai.retrieval.query.text': 'Where?' }, 'retrieval'],
  ['a call of a tool', { 'gen_ai.tool.call.id': 'c' }, 'tool'],
  ['a model', { 'gen_ai.request.model': 'm' }, 'model'],
  ['a tool', { 'gen_ai.tool.name': 't', 'gen_ai.request.model': 'm' }, 'tool'],
  ['nothing', {}, ''],
])('an unknown operation leaves the signs of %s', (_, attributes, type) => {
  const operation = { 'gen_ai.operation.name': 'answer_with_care' }
  expect(readSpanFacts(sentSpan({ attributes: { ...operation, ...attributes } })).type).toBe(type)
})

test.each([
  ['chat gpt-5', 'model'],
  ['execute_tool find', 'tool'],
  ['invoke_agent assistant', 'agent'],
  ['work', ''],
])('an unknown operation leaves the sign in the name %s', (name, type) => {
  const attributes = { 'gen_ai.operation.name': 'answer_with_care' }
  expect(readSpanFacts(sentSpan({ name, attributes })).type).toBe(type)
})

const raised = { name: 'exception', attributes: { 'exception.message': 'no station' } }
const answer = { 'output.value': 'There.' }

test.each<[string, TestSentSpan, string, boolean]>([
  ['a step that raised', {}, 'invoke_agent', true],
  ['a run without a type that raised', {}, 'work', true],
  ['a step that answered in spite of an exception', { attributes: answer }, 'invoke_agent', false],
  ['a step that says that all is well', { status: 'ok' }, 'invoke_agent', false],
])('shows whether %s failed', (_, sent, operation, isError) => {
  const attributes = { 'gen_ai.operation.name': operation, ...sent.attributes }
  const facts = readSpanFacts(sentSpan({ ...sent, attributes, events: [raised] }))
  expect(facts).toMatchObject({ isError, statusMessage: isError ? 'no station' : '' })
})

test.each(['metadata', 'langfuse.trace.metadata'])('reads ids in the JSON of %s', (key) => {
  const attributes = { [key]: JSON.stringify({ thread_id: 't-1', user_id: 7 }) }
  expect(readSpanFacts(sentSpan({ attributes }))).toMatchObject({ sessionId: 't-1', userId: '7' })
})

test('reads the text in several arguments', () => {
  const input = JSON.stringify({ args: [{ id: 1 }, 'Where is it?', 5], kwargs: { top: 3 } })
  expect(readSpanFacts(sentSpan({ attributes: { 'input.value': input } })).input).toBe(
    'Where is it?',
  )
})
