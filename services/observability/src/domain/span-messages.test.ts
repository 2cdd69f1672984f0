import { expect, test } from 'vitest'

import { mergeMessages, messagesOf } from './span-messages.ts'

const question = '{"input":[{"role":"user","text":"Where is it?"}]}'
const call = '{"input":[{"role":"assistant","calls":[{"name":"search","arguments":"{}"}]}]}'
const answer = '{"output":[{"role":"assistant","text":"There."}]}'
const both = '{"output":[{"role":"assistant","text":"Here."}],"input":[{"role":"user","text":"?"}]}'

const of = (messages: string, type = 'model') =>
  messagesOf({ type, input: '', output: '', messages })

test('the messages of several log records are those of all, in their order', () => {
  expect(of(mergeMessages([question, '', call, answer]))).toEqual({
    input: [
      { role: 'user', text: 'Where is it?' },
      { role: 'assistant', calls: [{ name: 'search', arguments: '{}' }] },
    ],
    output: [{ role: 'assistant', text: 'There.' }],
    omittedInput: 0,
    omittedOutput: 0,
  })
})

test('a log record with input and output has all of them', () => {
  expect(mergeMessages([question, both, answer])).toBe(both)
  expect(mergeMessages([answer])).toBe(answer)
  expect(mergeMessages(['', ''])).toBe('')
})

test('of too many messages, the last ones are kept and the others counted', () => {
  const long = JSON.stringify({ input: [{ role: 'user', text: 'x'.repeat(8000) }] })
  const merged = mergeMessages([...Array.from({ length: 10 }, () => long), answer])
  expect(merged.length).toBeLessThan(34_000)
  expect(of(merged)).toMatchObject({ omittedInput: 6, omittedOutput: 0 })
  expect(of(merged).input).toHaveLength(4)
})

test('spans that are neither models nor agents have no messages', () => {
  expect(of(both, '').input).toEqual([])
})
