import { expect, test } from 'vitest'

import { outputIn } from './message.ts'
import { readMessages } from './read-messages.ts'

const piece = (content: string, reason = '') => ({
  role: 'assistant',
  parts: [{ type: 'text', content }],
  finish_reason: reason,
})
const call = { type: 'tool_call', id: 'c1', name: 'find', arguments: { x: 1 } }

test.each([
  ['with the whole at their end', [piece('Over '), piece('there.'), piece('Over there.', 'stop')]],
  ['with the rest at their end', [piece('Over '), piece('there'), piece('.', 'stop')]],
  ['that are the whole', [piece('Over there.'), piece('', 'stop')]],
])('pieces of a stream %s are one message', (_, messages) => {
  expect(readMessages(messages, 'output')).toMatchObject([{ text: 'Over there.' }])
})

test('a call in a piece and at the end of a stream is one', () => {
  const calling = { ...piece('', 'tool_calls'), parts: [call] }
  const [message, ...others] = readMessages([{ ...piece(''), parts: [call] }, calling], 'output')
  expect(message?.calls).toEqual([{ id: 'c1', name: 'find', arguments: '{"x":1}' }])
  expect(others).toEqual([])
})

test.each([
  ['without a reason', [piece('One.'), piece('Two.')]],
  ['with a reason each', [piece('One.', 'stop'), piece('Two.', 'stop')]],
])('answers %s are not pieces', (_, messages) => {
  expect(outputIn(readMessages(messages, 'output'))).toBe('One.\nTwo.')
})
