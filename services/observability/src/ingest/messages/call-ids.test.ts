import { describe, expect, test } from 'vitest'

import { readMessages } from './read-messages.ts'

const text = (value: string) => ({ type: 'text', text: value })

describe('the id of a call and of its result in', () => {
  const call = { name: 'f', arguments: '{}' }
  test.each<[string, readonly object[]]>([
    [
      'the conventions',
      [
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f' }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: '42' }] },
      ],
    ],
    [
      'chat completions',
      [
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: call }] },
        { role: 'tool', tool_call_id: 'c', content: '42' },
      ],
    ],
    [
      'the Responses API, whose items have other ids',
      [
        { type: 'function_call', id: 'fc', call_id: 'c', ...call },
        { type: 'function_call_output', id: 'fco', call_id: 'c', output: '42' },
      ],
    ],
    [
      'Anthropic',
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '42' }] },
      ],
    ],
    [
      'Gemini',
      [
        { role: 'model', parts: [{ functionCall: { id: 'c', name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c', response: { result: '42' } } }] },
      ],
    ],
    [
      'Bedrock',
      [
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [text('42')] } }] },
      ],
    ],
    [
      'the AI SDK',
      [
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: '42' }] },
      ],
    ],
    [
      'LangChain, whose messages have other ids',
      [
        { type: 'ai', id: 'm', content: '', tool_calls: [{ id: 'c', name: 'f', args: {} }] },
        { type: 'tool', id: 'm', tool_call_id: 'c', content: '42' },
      ],
    ],
    [
      'events of the earlier conventions',
      [
        { 'event.name': 'gen_ai.assistant.message', tool_calls: [{ id: 'c', function: call }] },
        { 'event.name': 'gen_ai.tool.message', id: 'c', content: '42' },
      ],
    ],
  ])('%s', (_, messages) => {
    const read = readMessages(messages, 'input')
    expect(read.flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual(['c'])
    expect(read.flatMap(({ results }) => results)).toEqual([{ callId: 'c', text: '42' }])
  })
})

test('calls and results without an id, or with one of another type, have an empty one', () => {
  const read = readMessages(
    [
      { role: 'assistant', tool_calls: [{ id: 7, function: { name: 'f' } }, { name: 'g' }] },
      { role: 'tool', id: 'message', tool_call_id: ['c'], content: '42' },
    ],
    'input',
  )
  expect(read.flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual(['', ''])
  expect(read.at(-1)?.results).toEqual([{ callId: '', text: '42' }])
})
