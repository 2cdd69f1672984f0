import { create } from '@bufbuild/protobuf'
import { KeyValueSchema } from '@slipway/proto/opentelemetry/proto/common/v1/common'
import { describe, expect, test } from 'vitest'

import { toAttributes, type Attributes } from './attribute-value.ts'
import { readGenAiFacts } from './gen-ai.ts'

type Value = string | number | bigint | boolean

function attributesOf(values: Readonly<Record<string, Value>>): Attributes {
  return toAttributes(
    Object.entries(values).map(([key, value]) =>
      create(KeyValueSchema, { key, value: toAnyValue(value) }),
    ),
  )
}

function toAnyValue(value: Value) {
  if (typeof value === 'string') return { value: { case: 'stringValue', value } } as const
  if (typeof value === 'boolean') return { value: { case: 'boolValue', value } } as const
  if (typeof value === 'bigint') return { value: { case: 'intValue', value } } as const
  return { value: { case: 'doubleValue', value } } as const
}

function factsOf(
  attributes: Readonly<Record<string, Value>>,
  ...events: readonly Readonly<Record<string, Value>>[]
) {
  return readGenAiFacts(attributesOf(attributes), events.map(attributesOf))
}

const USER = { role: 'user', parts: [{ type: 'text', content: 'Where is it?' }] }
const SYSTEM = { role: 'system', parts: [{ type: 'text', content: 'Be kind.' }] }

describe('input and output', () => {
  test.each([
    ['plain', { 'input.value': 'q', 'output.value': 'a' }, 'q', 'a'],
    [
      'GenAI messages',
      {
        'gen_ai.input.messages': JSON.stringify([SYSTEM, USER]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: 'There.' }] },
        ]),
      },
      'Where is it?',
      'There.',
    ],
    ['older GenAI attributes', { 'gen_ai.prompt': 'q', 'gen_ai.completion': 'a' }, 'q', 'a'],
    [
      'flattened messages',
      { 'gen_ai.prompt.0.content': 'q', 'gen_ai.completion.0.content': 'a' },
      'q',
      'a',
    ],
    [
      'OpenInference messages',
      { 'llm.input_messages.0.message.content': 'q', 'llm.output_messages.0.message.content': 'a' },
      'q',
      'a',
    ],
    [
      'JSON that is not a conversation',
      { 'input.value': '{"city":"Köln"}' },
      '{"city":"Köln"}',
      '',
    ],
    ['text that only looks like JSON', { 'input.value': '[draft] hello' }, '[draft] hello', ''],
    [
      'a tool call',
      { 'gen_ai.tool.call.arguments': '{"x":1}', 'gen_ai.tool.call.result': '2' },
      '{"x":1}',
      '2',
    ],
    ['a number', { 'input.value': 7n }, '7', ''],
    ['nothing', {}, '', ''],
  ])('are read from %s', (_, attributes, input, output) => {
    expect(factsOf(attributes)).toMatchObject({ input, output })
  })

  test('come from events if the span has none', () => {
    expect(factsOf({}, { 'gen_ai.prompt': 'q' }, { 'gen_ai.completion': 'a' })).toMatchObject({
      input: 'q',
      output: 'a',
    })
  })

  test('are truncated to 16 KiB on a character boundary', () => {
    const { input } = factsOf({ 'input.value': `x${'ü'.repeat(10_000)}` })
    expect(input).toBe(`x${'ü'.repeat(8191)}`)
  })
})

describe('tokens', () => {
  const usage = { 'gen_ai.usage.input_tokens': 10n, 'gen_ai.usage.output_tokens': 3n }

  test.each([
    ['a chat', { 'gen_ai.operation.name': 'chat' }, [10n, 3n]],
    ['embeddings', { 'gen_ai.operation.name': 'embeddings' }, [10n, 3n]],
    ['a span without a kind', {}, [10n, 3n]],
    [
      'an agent, which repeats the sum of its calls',
      { 'gen_ai.operation.name': 'invoke_agent' },
      [0n, 0n],
    ],
    ['a tool', { 'gen_ai.operation.name': 'execute_tool' }, [0n, 0n]],
    ['an OpenInference chain', { 'openinference.span.kind': 'CHAIN' }, [0n, 0n]],
    ['an OpenInference model call', { 'openinference.span.kind': 'LLM' }, [10n, 3n]],
  ])('are counted once: %s', (_, attributes, expected) => {
    const { inputTokens, outputTokens } = factsOf({ ...usage, ...attributes })
    expect([inputTokens, outputTokens]).toEqual(expected)
  })

  test.each([
    [{ 'gen_ai.usage.prompt_tokens': 4n }, 4n],
    [{ 'llm.token_count.prompt': 5n }, 5n],
    [{ 'gen_ai.usage.input_tokens': 2n ** 54n }, 2n ** 54n],
    [{ 'gen_ai.usage.input_tokens': 2n ** 54n + 1n }, 0n],
    [{ 'gen_ai.usage.input_tokens': 12 }, 12n],
    [{ 'gen_ai.usage.input_tokens': '13' }, 13n],
    [{ 'gen_ai.usage.input_tokens': -1n }, 0n],
    [{ 'gen_ai.usage.input_tokens': 1.5 }, 0n],
    [{ 'gen_ai.usage.input_tokens': 'many' }, 0n],
    [{ 'gen_ai.usage.input_tokens': true }, 0n],
  ])('are read from other keys and types, case %#', (attributes, expected) => {
    expect(factsOf(attributes).inputTokens).toBe(expected)
  })
})

test('prefers the model of the response to the model of the request', () => {
  expect(factsOf({ 'gen_ai.request.model': 'm', 'gen_ai.response.model': 'm-2' }).model).toBe('m-2')
  expect(factsOf({ 'gen_ai.request.model': 'm' }).model).toBe('m')
})
