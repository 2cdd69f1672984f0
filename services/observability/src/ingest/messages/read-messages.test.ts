import { describe, expect, test } from 'vitest'

import { inputIn, outputIn } from './message.ts'
import { readMessages } from './read-messages.ts'

const question = (value: unknown) => inputIn(readMessages(value, 'input'))
const answer = (value: unknown) => outputIn(readMessages(value, 'output'))

const IMAGE = 'iVBORw0KGgo'.repeat(100)
const text = (value: string) => ({ type: 'text', text: value })

describe('the question in', () => {
  test.each<[string, unknown]>([
    [
      'messages of the conventions',
      [
        { role: 'system', parts: [{ type: 'text', content: 'Be kind.' }] },
        { role: 'user', parts: [{ type: 'text', content: 'Q' }] },
      ],
    ],
    ['chat completions', { model: 'm', messages: [{ role: 'user', content: 'Q' }] }],
    [
      'a conversation that continues with a tool',
      [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: null, tool_calls: [{ function: { name: 'f' } }] },
        { role: 'tool', content: '42', tool_call_id: 'c' },
      ],
    ],
    [
      'a tool result that Anthropic sends as the user',
      [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', content: [text('42')] }] },
      ],
    ],
    ['the Responses API', [{ role: 'user', content: [{ type: 'input_text', text: 'Q' }] }]],
    ['its plain input', { model: 'm', input: 'Q' }],
    [
      'messages of LangChain',
      {
        messages: [
          [
            {
              lc: 1,
              type: 'constructor',
              id: ['langchain', 'schema', 'messages', 'HumanMessage'],
              kwargs: { content: 'Q' },
            },
          ],
        ],
      },
    ],
    ['the state of LangGraph', { messages: [{ type: 'human', content: 'Q', id: '1' }] }],
    [
      'pairs',
      {
        messages: [
          ['system', 'Be kind.'],
          ['human', 'Q'],
        ],
      },
    ],
    ['messages as data', [{ type: 'human', data: { content: 'Q' } }]],
    ['Gemini', { contents: [{ role: 'user', parts: [{ text: 'Q' }] }] }],
    ['Bedrock', { messages: [{ role: 'user', content: [{ text: 'Q' }] }] }],
    ['the inputs of a chain', { inputs: { question: 'Q' }, tags: [] }],
    ['a call of a function of Python', { args: [{ k: 1 }, 'Q'], kwargs: { top_k: 'no' } }],
    ['its messages', { args: [[{ role: 'user', content: 'Q' }]], kwargs: {} }],
    ['its named arguments', { args: [], kwargs: { question: 'Q' } }],
    ['the task of an agent', { task: 'Q', stream: false, max_steps: null }],
    ['the first events of a log', [{ 'event.name': 'gen_ai.user.message', content: 'Q' }]],
  ])('%s', (_, value) => {
    expect(question(value)).toBe('Q')
  })

  test.each([
    { args: ['Why is it so?', 'user-42'], kwargs: {} },
    { args: ['user-42', 'Why is it so?', 'en'], kwargs: { k: 'a very long name of a setting' } },
    { args: [], kwargs: { user_message: 'Why is it so?', locale: 'en' } },
  ])('the question among the arguments of a function, case %#', (value) => {
    expect(question(value)).toBe('Why is it so?')
  })

  test.each<[string, unknown]>([
    [
      'an image of OpenAI',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE}` } },
    ],
    ['of Responses', { type: 'input_image', image_url: `data:image/png;base64,${IMAGE}` }],
    [
      'of Anthropic',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } },
    ],
    ['of Gemini', { inline_data: { mime_type: 'image/png', data: IMAGE } }],
    ['of Bedrock', { image: { format: 'png', source: { bytes: IMAGE } } }],
    ['of the AI SDK', { type: 'file', mediaType: 'image/png', data: IMAGE }],
    [
      'of the conventions',
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: IMAGE },
    ],
    [
      'of OpenInference',
      { type: 'image', image: { image: { url: `data:image/png;base64,${IMAGE}` } } },
    ],
  ])('has a placeholder for %s', (_, part) => {
    expect(question([{ role: 'user', content: [text('Look:'), part] }])).toBe('Look:\n[image/png]')
  })

  test('a conversation without a user is empty', () => {
    expect(question([{ role: 'system', content: 'Be kind.' }])).toBe('')
  })
})

describe('the answer in', () => {
  test.each<[string, unknown]>([
    [
      'messages of the conventions',
      [{ role: 'assistant', parts: [{ type: 'text', content: 'A' }] }],
    ],
    ['a chat completion', { choices: [{ message: { role: 'assistant', content: 'A' } }] }],
    ['a message of Anthropic', { type: 'message', role: 'assistant', content: [text('A')] }],
    [
      'a response',
      {
        object: 'response',
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
        ],
      },
    ],
    [
      'generations of LangChain',
      { generations: [[{ text: 'A', message: { lc: 1, kwargs: { type: 'ai', content: 'A' } } }]] },
    ],
    ['generations of a text model', { generations: [[{ text: 'A' }]] }],
    [
      'the state of an agent',
      {
        messages: [
          { type: 'human', content: 'Q' },
          { type: 'ai', content: '', tool_calls: [{ name: 'f', args: {} }] },
          { type: 'tool', content: '42' },
          { type: 'ai', content: 'A' },
        ],
      },
    ],
    [
      'a response of Gemini',
      { candidates: [{ content: { role: 'model', parts: [{ text: 'A' }] } }] },
    ],
    ['the output of a chain', { output: 'A' }],
    ['the result of a crew', { raw: 'A', tasks_output: [{ raw: 'other' }] }],
    [
      'thoughts and text',
      [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }, text('A')] }],
    ],
  ])('%s', (_, value) => {
    expect(answer(value)).toBe('A')
  })

  test.each<[string, unknown]>([
    [
      'chat completions',
      { tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{"x":1}' } }] },
    ],
    ['Anthropic', { content: [{ type: 'tool_use', name: 'find', input: { x: 1 } }] }],
    ['the conventions', { parts: [{ type: 'tool_call', name: 'find', arguments: { x: 1 } }] }],
    [
      'LangChain',
      { content: '', tool_calls: [{ name: 'find', args: { x: 1 }, type: 'tool_call' }] },
    ],
    ['Gemini', { parts: [{ functionCall: { name: 'find', args: { x: 1 } } }] }],
    ['Bedrock', { content: [{ toolUse: { name: 'find', input: { x: 1 } } }] }],
  ])('a tool call of %s is the call', (_, message) => {
    expect(answer([{ role: 'assistant', ...(message as object) }])).toBe('find({"x":1})')
  })

  test('calls that were put together from a stream has no role', () => {
    const calls = [{ function: { name: 'find', arguments: '{"x":1}' } }]
    expect(answer({ tool_calls: calls })).toBe('find({"x":1})')
    expect(answer({ tool_calls: calls, content: 'A' })).toBe('A')
    expect(answer({ tool_calls: [7, { type: 'x' }], text: 'A' })).toBe('A')
  })

  test('several choices has all of them', () => {
    const choice = (content: string) => ({ message: { role: 'assistant', content } })
    expect(answer({ choices: [choice('A'), choice('B')] })).toBe('A\nB')
  })
})

test('definitions of tools are not messages', () => {
  const definition = { name: 'find', description: 'Finds it.', parameters: { type: 'object' } }
  const tool = { role: 'tool', content: { type: 'function', function: definition } }
  expect(readMessages([{ role: 'user', content: 'Why?' }, tool], 'input')).toEqual([
    { role: 'user', text: 'Why?', calls: [], results: [] },
  ])
})

test.each([null, 7, 'text', [], {}, { city: 'Köln' }, [['a', 'b', 'c']], { messages: 'none' }])(
  'finds no messages in %j',
  (value) => {
    expect(readMessages(value, 'input')).toEqual([])
  },
)
