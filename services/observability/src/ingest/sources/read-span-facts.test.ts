import { describe, expect, test } from 'vitest'

import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

function factsOf(
  attributes: Readonly<Record<string, TestValue>>,
  ...events: readonly Readonly<Record<string, TestValue>>[]
) {
  return readSpanFacts(
    sentSpan({ attributes, events: events.map((each) => ({ name: 'event', attributes: each })) }),
  )
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
    ['a chat', { 'gen_ai.operation.name': 'chat' }, [10n, 3n, 'call']],
    ['embeddings', { 'gen_ai.operation.name': 'embeddings' }, [10n, 3n, 'call']],
    ['a span without a kind', {}, [10n, 3n, 'call']],
    [
      'an agent, which repeats the sum of its calls',
      { 'gen_ai.operation.name': 'invoke_agent' },
      [10n, 3n, 'total'],
    ],
    ['a tool', { 'gen_ai.operation.name': 'execute_tool' }, [10n, 3n, 'total']],
    ['an OpenInference chain', { 'openinference.span.kind': 'CHAIN' }, [10n, 3n, 'total']],
    ['an OpenInference model call', { 'openinference.span.kind': 'LLM' }, [10n, 3n, 'call']],
  ])('are those of a call or a total: %s', (_, attributes, expected) => {
    const { inputTokens, outputTokens, of } = factsOf({ ...usage, ...attributes }).usage
    expect([inputTokens, outputTokens, of]).toEqual(expected)
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
    expect(factsOf(attributes).usage.inputTokens).toBe(expected)
  })
})

test('prefers the model of the response to the model of the request', () => {
  expect(factsOf({ 'gen_ai.request.model': 'm', 'gen_ai.response.model': 'm-2' }).model).toBe('m-2')
  expect(factsOf({ 'gen_ai.request.model': 'm' }).model).toBe('m')
})
