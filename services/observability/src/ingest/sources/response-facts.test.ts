import { expect, test } from 'vitest'

import { sentSpan, START_MS, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'
import { NO_USAGE } from './usage.ts'

const chat = (attributes: TestSentSpan['attributes'], more: TestSentSpan = {}) =>
  readSpanFacts(
    sentSpan({ ...more, attributes: { 'gen_ai.operation.name': 'chat', ...attributes } }),
  )
const at = (afterMs: number) => new Date(START_MS + afterMs).toISOString()

test.each<[string, TestSentSpan['attributes'], string]>([
  ['the conventions', { 'gen_ai.response.finish_reasons': ['stop', 'length'] }, 'stop'],
  ['a list in JSON', { 'gen_ai.response.finish_reasons': '["tool-calls"]' }, 'tool-calls'],
  ['the flat messages of OpenLLMetry', { 'gen_ai.completion.0.finish_reason': 'stop' }, 'stop'],
  [
    'OpenInference',
    { 'openinference.span.kind': 'LLM', 'llm.finish_reason': 'end_turn' },
    'end_turn',
  ],
  [
    'Vercel AI',
    { 'ai.operationId': 'ai.streamText.doStream', 'ai.response.finishReason': 'tool-calls' },
    'tool-calls',
  ],
  [
    'LangSmith',
    {
      'langsmith.span.kind': 'llm',
      'gen_ai.completion': JSON.stringify({
        generations: [
          [{ message: { kwargs: { response_metadata: { finish_reason: 'tool_calls' } } } }],
        ],
      }),
    },
    'tool_calls',
  ],
  ['wrong types', { 'gen_ai.response.finish_reasons': [{ a: 1 }] }, ''],
  ['nothing', {}, ''],
])('reads the finish reason of %s', (_, attributes, reason) => {
  expect(chat(attributes).finishReason).toBe(reason)
})

test('reads the finish reason of a choice in an event', () => {
  const events = [{ name: 'gen_ai.choice', attributes: { finish_reason: 'end_turn' } }]
  expect(chat({}, { events }).finishReason).toBe('end_turn')
})

test.each<[string, TestSentSpan['attributes'], bigint]>([
  ['the conventions', { 'gen_ai.response.time_to_first_chunk': 0.25 }, 250_000_000n],
  [
    'Vercel AI',
    { 'ai.operationId': 'ai.streamText.doStream', 'ai.response.msToFirstChunk': 54.5 },
    54_500_000n,
  ],
  [
    'Mastra',
    { 'mastra.span.type': 'model_generation', 'mastra.completion_start_time': at(70) },
    70_000_000n,
  ],
  [
    'Langfuse',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.completion_start_time': `"${at(120)}"`,
    },
    120_000_000n,
  ],
  ['a negative number', { 'gen_ai.response.time_to_first_chunk': -1 }, 0n],
  ['years', { 'gen_ai.response.time_to_first_chunk': 1e9 }, 0n],
  ['text', { 'gen_ai.response.time_to_first_chunk': 'soon' }, 0n],
  [
    'a time before the start',
    { 'mastra.span.type': 'model_generation', 'mastra.completion_start_time': at(-70) },
    0n,
  ],
])('reads the time to the first token of %s', (_, attributes, expected) => {
  expect(chat(attributes).firstTokenNs).toBe(expected)
})

test('Strands counts the time to the first token in milliseconds', () => {
  const attributes = { 'gen_ai.server.time_to_first_token': 276n }
  const scope = 'strands.telemetry.tracer'
  expect(chat(attributes, { scope }).firstTokenNs).toBe(276_000_000n)
})

test.each(['First Token Stream Event', 'gen_ai.content.completion.chunk', 'new_token'])(
  'the first event "%s" means that the first token has arrived',
  (name) => {
    const events = [40, 90].map((afterMs) => ({ name, afterMs, attributes: {} }))
    expect(chat({}, { events }).firstTokenNs).toBe(40_000_000n)
  },
)

test.each<[string, TestSentSpan['attributes'], bigint]>([
  ['Pydantic AI', { 'operation.cost': 0.0000652 }, 65_200n],
  ['OpenInference', { 'openinference.span.kind': 'LLM', 'llm.cost.total': 0.5 }, 500_000_000n],
  ['OpenLIT', { 'gen_ai.usage.cost': 2n }, 2_000_000_000n],
  [
    'Langfuse',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.cost_details': '{"input":0.001,"output":0.002,"total":0.003}',
    },
    3_000_000n,
  ],
  [
    'Langfuse without a total',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.cost_details': '{"input":0.001,"output":0.002}',
    },
    3_000_000n,
  ],
  ['a negative cost', { 'operation.cost': -1 }, 0n],
  ['an implausible cost', { 'operation.cost': 1e12 }, 0n],
  ['text', { 'operation.cost': 'much' }, 0n],
  [
    'wrong types in Langfuse',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.cost_details': '{"total":{"a":1}}',
    },
    0n,
  ],
])('reads the cost of %s', (_, attributes, expected) => {
  expect(chat(attributes).costNanoUsd).toBe(expected)
})

test('a cost without tokens is that of a call, or of those in other spans', () => {
  const usageOf = (operation: string) =>
    chat({ 'gen_ai.operation.name': operation, 'operation.cost': 1 }).usage
  expect(usageOf('chat')).toEqual({ ...NO_USAGE, of: 'call' })
  expect(usageOf('invoke_agent')).toEqual({ ...NO_USAGE, of: 'total' })
})

test('spans of unknown things have none of these', () => {
  const facts = readSpanFacts(sentSpan({ attributes: { 'operation.cost': 1 } }))
  expect(facts).toMatchObject({ costNanoUsd: 0n, firstTokenNs: 0n, finishReason: '' })
})
