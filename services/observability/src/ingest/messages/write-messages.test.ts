import fc from 'fast-check'
import { expect, test } from 'vitest'

import { messagesOf } from '../../domain/span-messages.ts'
import { plainText, type Content, type Message } from './message.ts'
import { MESSAGE_LIMITS, writeMessages } from './write-messages.ts'

const NOTHING = plainText('')
const message = (changes: Partial<Message>): Message => ({
  role: 'user',
  text: '',
  calls: [],
  results: [],
  ...changes,
})
const contentOf = (...messages: readonly Partial<Message>[]): Content => ({
  text: '',
  messages: messages.map(message),
})

/** Reads what was written, as for a model without short texts. */
function written(input: Content, output: Content) {
  return messagesOf({
    type: 'model',
    input: '',
    output: '',
    messages: writeMessages(input, output),
  })
}

test('keeps roles, texts, calls and results', () => {
  const call = { id: 'c-1', name: 'search', arguments: '{"text":"share"}' }
  const input = contentOf(
    { role: 'system', text: 'Be kind.' },
    { text: 'Where is it?' },
    { role: 'assistant', calls: [call] },
    { role: 'tool', text: 'There.', results: [{ callId: 'c-1', text: 'There.' }] },
  )
  expect(written(input, contentOf({ role: 'assistant', text: 'There!' }))).toEqual({
    input: [
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Where is it?' },
      { role: 'assistant', calls: [call] },
      { role: 'tool', result_ids: ['c-1'], results: ['There.'] },
    ],
    output: [{ role: 'assistant', text: 'There!' }],
    omittedInput: 0,
    omittedOutput: 0,
  })
})

test('stores nothing that the short texts say', () => {
  const asked = { text: 'Hello', messages: [message({ text: 'Hello' })] }
  const answered = { text: 'Hi', messages: [message({ role: 'assistant', text: 'Hi' })] }
  expect(writeMessages(asked, answered)).toBe('')
  expect(writeMessages(plainText('Hello'), NOTHING)).toBe('')
  expect(messagesOf({ type: 'agent', input: 'Hello', output: 'Hi', messages: '' })).toEqual({
    input: [{ role: 'user', text: 'Hello' }],
    output: [{ role: 'assistant', text: 'Hi' }],
    omittedInput: 0,
    omittedOutput: 0,
  })
  const tool = messagesOf({ type: 'tool', input: '{}', output: 'Hi', messages: '' })
  expect([tool.input, tool.output]).toEqual([[], []])
})

test('keeps the last messages, and counts the others', () => {
  const texts = Array.from({ length: 600 }, (_, index) => ({ text: `Question ${index}` }))
  const { input, omittedInput } = written(contentOf(...texts), NOTHING)
  expect(input).toHaveLength(MESSAGE_LIMITS.count)
  expect(input.at(-1)).toEqual({ role: 'user', text: 'Question 599' })
  expect(omittedInput).toBe(600 - MESSAGE_LIMITS.count)
})

test('truncates a long message, and marks it', () => {
  const { input } = written(contentOf({ text: 'é'.repeat(9_000) }), NOTHING)
  expect(input).toEqual([
    { role: 'user', text: 'é'.repeat(MESSAGE_LIMITS.messageBytes / 2), is_truncated: true },
  ])
  const calls = Array.from({ length: 40 }, () => ({ id: '', name: 'f', arguments: '{}' }))
  const { output } = written(NOTHING, contentOf({ role: 'assistant', calls }))
  expect(output[0]).toMatchObject({ is_truncated: true })
  expect(output[0]?.calls).toHaveLength(MESSAGE_LIMITS.callCount)
})

test('shows the start of a last message that takes too much room as JSON', () => {
  const { output } = written(
    NOTHING,
    contentOf({ role: 'assistant', text: '\u0001'.repeat(9_000) }),
  )
  expect(output[0]).toMatchObject({ role: 'assistant', is_truncated: true })
  expect(output[0]?.text).toHaveLength(1024)
})

test('has no base64', () => {
  const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(100)}`
  const { input } = written(contentOf({ text: `Look: ${url} and ${url}.` }), NOTHING)
  expect(input).toEqual([{ role: 'user', text: 'Look: [image/png] and [image/png].' }])
})

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.nat(20_000).map((length) => '\u0000'.repeat(length)),
  fc.nat(20_000).map((length) => '😀'.repeat(length)),
)
const arbitraryMessages = fc.array(
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    text: texts,
    calls: fc.array(fc.record({ id: texts, name: texts, arguments: texts }), { maxLength: 50 }),
    results: fc.array(fc.record({ callId: texts, text: texts }), { maxLength: 50 }),
  }),
  { maxLength: 30 },
)

test('any messages fit, and none is lost without being counted', () => {
  fc.assert(
    fc.property(arbitraryMessages, arbitraryMessages, (input, output) => {
      const json = writeMessages({ text: 'a', messages: input }, { text: 'b', messages: output })
      expect(Buffer.byteLength(json)).toBeLessThan(MESSAGE_LIMITS.totalBytes + 128)
      const read = messagesOf({ type: 'model', input: '', output: '', messages: json })
      expect(read.input.length + read.omittedInput).toBe(input.length)
      expect(read.output.length + read.omittedOutput).toBe(output.length)
      expect(read.output.length > 0).toBe(output.length > 0)
      const roles = read.input.map(({ role }) => role)
      expect(roles).toEqual(input.slice(read.omittedInput).map(({ role }) => role))
    }),
    { numRuns: 50 },
  )
})
