import { expect, test } from 'vitest'

import { toStoredLog } from './read-logs.ts'
import { logsInJson } from './sent-logs.ts'
import { UNREADABLE } from '../decode/unreadable-record.ts'

const ids = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
const content = (text: string) => ({
  kvlistValue: { values: [{ key: 'content', value: { stringValue: text } }] },
})
const question = { ...ids, eventName: 'gen_ai.user.message', body: content('Why?') }

function read(...logRecords: readonly unknown[]) {
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }
  return [...logsInJson(Buffer.from(JSON.stringify(request)), () => {})].map((record) =>
    typeof record === 'object' && 'log' in record ? toStoredLog(record, 7n) : record,
  )
}

test('reads records with the keys of both forms of JSON', () => {
  const { traceId, spanId } = ids
  const snake = {
    trace_id: traceId,
    span_id: spanId,
    event_name: 'gen_ai.user.message',
    observed_time_unix_nano: '5',
    body: { string_value: '{"content":"Why?"}' },
  }
  expect(read({ ...question, timeUnixNano: '5' }, snake)).toMatchObject([
    { traceId, spanId, timeNs: 5n, input: 'Why?' },
    { traceId, spanId, timeNs: 5n, input: 'Why?' },
  ])
})

test.each([
  ['com.anthropic.claude_code.events', 'assistant_response', 'There.', 'There.'],
  ['com.anthropic.claude_code.events', 'assistant_response', '<REDACTED>', ''],
  ['com.anthropic.claude_code.events', 'user_prompt', 'There.', undefined],
  ['another', 'assistant_response', 'There.', undefined],
])('keeps the answers of Claude Code: %s %s %s', (scope, event, response, output) => {
  const attributes = Object.entries({ 'event.name': event, response }).map(([key, value]) => ({
    key,
    value: { stringValue: value },
  }))
  const records = { scope: { name: scope }, logRecords: [{ ...ids, attributes }] }
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [records] }] })
  const read = [...logsInJson(Buffer.from(body), () => {})]
  const logs = read.flatMap((log) => (log && 'log' in log ? toStoredLog(log, 7n) : []))
  expect(logs.map((log) => log.output)).toEqual(output === undefined ? [] : [output])
})

test('takes the name of the event from an attribute if the record has none', () => {
  const attributes = [{ key: 'event.name', value: { stringValue: 'gen_ai.user.message' } }]
  expect(read({ ...ids, attributes, body: content('Why?') })).toMatchObject([{ input: 'Why?' }])
})

test('takes it from there also if the record names a place in the sources', () => {
  const attributes = [
    { key: 'event.name', value: { stringValue: 'codex.user_prompt' } },
    { key: 'prompt', value: { stringValue: 'Why?' } },
    { key: 'conversation.id', value: { stringValue: 'c-1' } },
  ]
  const eventName = 'event otel/src/events.rs:12'
  expect(read({ ...ids, eventName, attributes })).toMatchObject([
    { input: 'Why?', sessionId: 'c-1' },
  ])
})

test('reads the session and the user that a record names', () => {
  const named = (values: Record<string, object>) => ({
    ...question,
    attributes: Object.entries(values).map(([key, value]) => ({ key, value })),
  })
  const ids = {
    'user.id': { stringValue: 'u'.repeat(300) },
    'gen_ai.conversation.id': { stringValue: 's-1' },
    'session.id': { stringValue: '' },
  }
  const others = { 'user.id': { kvlistValue: {} }, 'session.id': { intValue: '7' } }
  expect(read(named(ids), named(others))).toMatchObject([
    { userId: 'u'.repeat(256), sessionId: 's-1' },
    { userId: '', sessionId: '7' },
  ])
})

test.each([
  ['of another event', { ...question, eventName: 'exception' }],
  ['whose event is an object', { ...question, eventName: { a: 1 } }],
  ['without ids', { ...question, traceId: undefined, spanId: '' }],
  ['with an id that is not hexadecimal', { ...question, traceId: 'x'.repeat(32) }],
])('keeps no record %s', (_, record) => {
  expect(read(record, question)).toMatchObject([undefined, { input: 'Why?' }])
})

test.each([7, null])('counts a record that is %s, and keeps the others', (record) => {
  expect(read(record, question)).toMatchObject([
    { reason: UNREADABLE.malformed },
    { input: 'Why?' },
  ])
})

test.each([
  ['an id that is a number', { ...question, spanId: 7 }],
  ['a time that is an object', { ...question, timeUnixNano: {} }],
  ['a body of an unknown type', { ...question, body: { listValue: 1 } }],
  ['a body that is text', { ...question, body: 'Why?' }],
  ['an attribute that is a list', { ...question, attributes: [[]] }],
  ['a value that is a list', { ...question, attributes: [{ key: 'a', value: [] }] }],
])('loses no other record with one that has %s', (_, record) => {
  expect(read(record, question)[1]).toMatchObject({ input: 'Why?' })
})

test('keeps a record whose attributes are not a list', () => {
  expect(read({ ...question, attributes: 'none' })).toMatchObject([{ input: 'Why?' }])
})

test('keeps a record whose body is nested too deeply, without the body', () => {
  let body: object = { stringValue: 'deep' }
  for (let depth = 0; depth < 500; depth += 1) body = { arrayValue: { values: [body] } }
  expect(read({ ...question, body }, question)).toMatchObject([{ input: '' }, { input: 'Why?' }])
})
