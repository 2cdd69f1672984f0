import { expect, test } from 'vitest'

import { messagesOf } from '../../domain/span-messages.ts'
import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

type Attributes = Readonly<Record<string, TestValue>>

const MODEL = { 'gen_ai.operation.name': 'chat' }
const INPUT = 'gen_ai.input.messages'
const OUTPUT = 'gen_ai.output.messages'

function factsOf(attributes: Attributes) {
  return readSpanFacts(sentSpan({ attributes: { ...MODEL, ...attributes } }))
}

const asked = { role: 'user', content: 'Where is it?' }
const json = JSON.stringify

test.each<[string, TestValue]>([
  ['a structured list', [asked]],
  ['a single structured message', asked],
  ['JSON of a single message', json(asked)],
  ['JSON in JSON', json(json([asked]))],
  ['a role in capitals', [{ ...asked, role: 'USER' }]],
  ['parts in place of content', [{ role: 'user', parts: [{ content: 'Where is it?' }] }]],
  ['parts that are texts', [{ role: 'user', parts: ['Where is it?'] }]],
  ['a single part', [{ role: 'user', content: { type: 'text', text: 'Where is it?' } }]],
  ['content that is null before it', [{ role: 'assistant', content: null }, asked]],
  ['numbers and nulls between messages', [7, null, asked, true]],
  ['lists of lists', [[[asked]]]],
  ['the text alone', 'Where is it?'],
])('the question is read from %s', (_, value) => {
  expect(factsOf({ [INPUT]: value }).input).toBe('Where is it?')
})

const call = { id: 'c1', name: 'find', arguments: '{"what":"umbrella"}' }
const { id, name } = call

test.each<[string, TestValue]>([
  ['a function', [{ id, type: 'function', function: { name, arguments: call.arguments } }]],
  ['arguments that are an object', [{ id, function: { name, arguments: { what: 'umbrella' } } }]],
  ['a single call in place of a list', { id, function: { name, arguments: call.arguments } }],
  ['fields without a function', [{ id, name, args: { what: 'umbrella' } }]],
  ['numbers and nulls between calls', [7, null, { id, name, args: { what: 'umbrella' } }]],
])('the calls of a message are read from %s', (_, calls) => {
  const facts = factsOf({
    [OUTPUT]: json([{ role: 'assistant', content: null, tool_calls: calls }]),
  })
  expect(facts.output).toBe('find({"what":"umbrella"})')
  expect(messagesOf(facts).output).toEqual([{ role: 'assistant', calls: [call] }])
})

test.each<[TestValue, string]>([
  [42n, '42'],
  ['42', '42'],
  [-1n, '-1'],
  [true, ''],
  [1.5, ''],
  [['42'], ''],
  [{ id: '42' }, ''],
])('a session and a user are named by texts and integers, case %#', (sent, shown) => {
  const { sessionId, userId } = factsOf({ 'session.id': sent, 'user.id': sent })
  expect([sessionId, userId]).toEqual([shown, shown])
})

test.each<[TestValue, string]>([
  ['stop', 'stop'],
  ['["stop"]', 'stop'],
  [['stop', 'length'], 'stop'],
  [7n, ''],
  [[7n], ''],
  [{ reason: 'stop' }, ''],
  ['', ''],
])('why a response ended is a text or the first of a list, case %#', (sent, shown) => {
  expect(factsOf({ 'gen_ai.response.finish_reasons': sent }).finishReason).toBe(shown)
})

test.each<[TestValue, bigint]>([
  [12n, 12n],
  ['12', 12n],
  [12, 12n],
  ['12.0', 0n],
  [' 12', 0n],
  [[12n], 0n],
  [{ value: 12n }, 0n],
  [null, 0n],
  [-12n, 0n],
])('tokens are whole numbers, case %#', (sent, shown) => {
  expect(factsOf({ 'gen_ai.usage.input_tokens': sent }).usage.inputTokens).toBe(shown)
})

test.each<[string, TestValue]>([
  ['text that only starts like JSON', '"[not JSON'],
  ['text with braces', '{not JSON}'],
])('%s is shown as it is', (_, value) => {
  expect(factsOf({ [INPUT]: value }).input).toBe(value)
})
