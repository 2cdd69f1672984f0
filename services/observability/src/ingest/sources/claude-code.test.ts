import { expect, test } from 'vitest'

import { messagesOf } from '../../domain/span-messages.ts'
import { sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const scope = 'com.anthropic.claude_code.tracing'

function factsOf(span: TestSentSpan) {
  return readSpanFacts(sentSpan({ scope, ...span }))
}

test('reads the prompt of an interaction', () => {
  const attributes = {
    'span.type': 'interaction',
    user_prompt: 'Where is it?',
    'session.id': 's1',
    'user.id': 'u1',
  }
  const shows = { type: 'agent', input: 'Where is it?', sessionId: 's1', userId: 'u1' }
  expect(factsOf({ attributes })).toMatchObject(shows)
  expect(factsOf({ attributes: { ...attributes, user_prompt: '<REDACTED>' } }).input).toBe('')
})

test('reads the tokens that earlier versions count apart from those of caches', () => {
  const attributes = {
    'span.type': 'llm_request',
    model: 'claude',
    input_tokens: 5n,
    cache_read_tokens: 30n,
    cache_creation_tokens: 7n,
    output_tokens: 3n,
    ttft_ms: 20n,
    stop_reason: 'end_turn',
    new_context: '[USER]\nWhere is it?',
    'response.model_output': 'There.',
  }
  const tokens = { of: 'call', outputTokens: 3n, cachedTokens: 30n, cacheWrittenTokens: 7n }
  expect(factsOf({ attributes })).toMatchObject({
    type: 'model',
    model: 'claude',
    input: 'Where is it?',
    output: 'There.',
    usage: { ...tokens, inputTokens: 42n },
    firstTokenNs: 20_000_000n,
    finishReason: 'end_turn',
  })
  const current = { 'gen_ai.usage.input_tokens': 42n, 'gen_ai.usage.output_tokens': 3n }
  const { usage } = factsOf({ attributes: { ...attributes, ...current } })
  expect([usage.inputTokens, usage.outputTokens]).toEqual([42n, 3n])
})

test('shows what tools returned to a model as their results', () => {
  const facts = factsOf({
    attributes: { 'span.type': 'llm_request', new_context: '[TOOL RESULT: toolu_1]\nIn the hall.' },
  })
  expect(facts.input).toBe('')
  expect(messagesOf(facts).input).toEqual([
    { role: 'tool', result_ids: ['toolu_1'], results: ['In the hall.'] },
  ])
})

test.each([
  [{ tool_input: '[TOOL INPUT: find]\n{"what":"umbrella"}' }, '{"what":"umbrella"}'],
  [{ full_command: 'ls' }, 'ls'],
  [{ file_path: 'notes.md' }, 'notes.md'],
])('reads the arguments and the result of a tool, case %#', (sent, input) => {
  const facts = factsOf({
    attributes: { 'span.type': 'tool', tool_name: 'find', ...sent },
    events: [{ name: 'tool.output', attributes: { output: 'In the hall.' } }],
  })
  expect(facts).toMatchObject({ type: 'tool', toolName: 'find', input, output: 'In the hall.' })
})

test('a request that failed is an error', () => {
  const attributes = { 'span.type': 'llm_request', error: 'overloaded' }
  expect(factsOf({ attributes }).isError).toBe(true)
})
