import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { ExportLogsServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/logs/v1/logs_service'
import type { AnyValueSchema } from '@slipway/proto/opentelemetry/proto/common/v1/common'
import type { LogRecordSchema } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'
import { expect, test } from 'vitest'

import { UnreadableRecord } from '../decode/unreadable-record.ts'
import { logsInProtobuf } from './sent-logs.ts'
import { toStoredLog } from './read-logs.ts'

type AnyValue = MessageInitShape<typeof AnyValueSchema>
type LogRecord = MessageInitShape<typeof LogRecordSchema>

const NOW = 1_900_000_000_000_000_000n
const ids = { traceId: new Uint8Array(16).fill(1), spanId: new Uint8Array(8).fill(2) }
const question = { ...ids, eventName: 'gen_ai.user.message', body: map({ content: text('Why?') }) }

function text(value: string): AnyValue {
  return { value: { case: 'stringValue', value } }
}

function list(values: readonly AnyValue[]): AnyValue {
  return { value: { case: 'arrayValue', value: { values: [...values] } } }
}

function map(members: Readonly<Record<string, AnyValue>>): AnyValue {
  const values = Object.entries(members).map(([key, value]) => ({ key, value }))
  return { value: { case: 'kvlistValue', value: { values } } }
}

function encode(...logRecords: readonly LogRecord[]): Uint8Array {
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [...logRecords] }] }] }
  return toBinary(ExportLogsServiceRequestSchema, create(ExportLogsServiceRequestSchema, request))
}

/** Returns what is stored of the records of a request; undefined for those that are not kept. */
function read(...records: readonly LogRecord[]) {
  return [...logsInProtobuf(encode(...records))].map((record) =>
    typeof record === 'object' && 'log' in record ? toStoredLog(record, NOW) : record,
  )
}

test('reads the message in the body of an event', () => {
  const [stored] = read({ ...question, timeUnixNano: 5n, observedTimeUnixNano: 6n })
  expect(stored).toEqual({
    traceId: '01'.repeat(16),
    spanId: '02'.repeat(8),
    sentNs: 5n,
    timeNs: 5n,
    name: 'gen_ai.user.message',
    sessionId: '',
    userId: '',
    input: 'Why?',
    output: '',
    messages: '{"input":[{"role":"user","text":"Why?"}]}',
    attributes: '{"gen_ai.event.content":{"content":"Why?"}}',
  })
})

test('reads an answer, and a call of a tool', () => {
  const call = map({ function: map({ name: text('search'), arguments: text('{"q":1}') }) })
  const answer = { ...ids, eventName: 'gen_ai.choice' }
  expect(
    read(
      { ...answer, body: map({ message: map({ content: text('So.') }) }) },
      { ...answer, body: map({ message: map({ tool_calls: list([call]) }) }) },
      { ...answer, body: text('{"message":{"content":"As JSON."}}') },
    ),
  ).toMatchObject([
    { input: '', output: 'So.' },
    { output: 'search({"q":1})' },
    { output: 'As JSON.' },
  ])
})

test('reads no call of a tool that is sent without its arguments, as without content', () => {
  const call = map({ function: map({ name: text('search') }) })
  const body = map({ message: map({ tool_calls: list([call]) }) })
  expect(read({ ...ids, eventName: 'gen_ai.choice', body })).toMatchObject([{ output: '' }])
})

test('reads all messages of an operation from its attributes', () => {
  const message = (role: string, content: string) =>
    map({ role: text(role), parts: list([map({ type: text('text'), content: text(content) })]) })
  const attributes = [
    {
      key: 'gen_ai.input.messages',
      value: list([message('system', 'Be brief.'), message('user', 'Why?')]),
    },
    { key: 'gen_ai.output.messages', value: list([message('assistant', 'So.')]) },
  ]
  const eventName = 'gen_ai.client.inference.operation.details'
  expect(read({ ...ids, eventName, attributes })).toMatchObject([{ input: 'Why?', output: 'So.' }])
})

test('takes the name of the event from an attribute if the record has none', () => {
  const attributes = [{ key: 'event.name', value: text('gen_ai.user.message') }]
  expect(read({ ...question, eventName: '', attributes })).toMatchObject([{ input: 'Why?' }])
})

test('takes the time at which the record was observed, or else that of its arrival', () => {
  expect(read({ ...question, observedTimeUnixNano: 6n }, question)).toMatchObject([
    { sentNs: 6n, timeNs: 6n },
    { sentNs: 0n, timeNs: NOW },
  ])
})

test.each<[string, LogRecord]>([
  ['without an event', { ...question, eventName: '' }],
  ['of another event', { ...question, eventName: 'exception' }],
  ['without ids', { ...question, traceId: new Uint8Array(), spanId: new Uint8Array() }],
  ['with a short trace id', { ...question, traceId: new Uint8Array(8).fill(1) }],
  ['with a zero span id', { ...question, spanId: new Uint8Array(8) }],
])('keeps no record %s', (_, record) => {
  expect(read(record, question)).toMatchObject([undefined, { input: 'Why?' }])
})

test('keeps the end of a conversation that is too long to decode', () => {
  const messages = Array.from({ length: 5_000 }, (_, index) =>
    map({ role: text('user'), content: text(`question ${index}`) }),
  )
  const attributes = [{ key: 'gen_ai.input.messages', value: list(messages) }]
  const eventName = 'gen_ai.client.inference.operation.details'
  expect(read({ ...ids, eventName, attributes })).toMatchObject([{ input: 'question 4999' }])
})

test('keeps a record whose body is nested too deeply, without the body', () => {
  let body = text('deep')
  for (let depth = 0; depth < 500; depth += 1) body = list([body])
  expect(read({ ...question, body }, question)).toMatchObject([
    { input: '', attributes: '{"slipway.dropped_attributes":1}' },
    { input: 'Why?' },
  ])
})

test('bounds megabytes in the body and in attributes', () => {
  const long = 'x'.repeat(2 ** 20)
  const attributes = [{ key: 'long', value: text(long) }]
  const [stored] = read({ ...question, body: map({ content: text(long) }), attributes })
  expect(stored).toMatchObject({ input: 'x'.repeat(16 * 1024) })
  expect(stored).toMatchObject({ attributes: expect.stringMatching(/^.{0,40000}$/) as unknown })
})

test.each([
  ['a broken field', '62'],
  ['groups', '0b0b0b0b'],
  [
    '200,000 fields in the body',
    field(5, Buffer.from('7800'.repeat(200_000), 'hex')).toString('hex'),
  ],
  ['a field with the number 0', '0001'],
])('counts a record with %s, and keeps the others', (_, hex) => {
  const broken = Buffer.from(hex, 'hex')
  const good = encode(question)
  // The records of a second scope.
  const bytes = Buffer.concat([good, field(1, field(2, field(2, broken)))])
  const [first, second] = [...logsInProtobuf(bytes)]
  expect(first).toMatchObject({ event: 'gen_ai.user.message' })
  expect(second).toBeInstanceOf(UnreadableRecord)
})

test('replaces what is not UTF-8', () => {
  const name = Buffer.from('gen_ai.user.message')
  const parts = [field(12, name), field(9, Buffer.alloc(16, 1)), field(10, Buffer.alloc(8, 2))]
  const body = field(5, field(1, Buffer.from('Gr\u00fc').subarray(0, 3)))
  const record = field(2, Buffer.concat([...parts, body]))
  expect([...logsInProtobuf(field(1, field(2, record)))]).toMatchObject([
    { log: { attributes: [{ value: { value: { value: 'Gr\ufffd' } } }] } },
  ])
})

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.from(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish())
}

test('ignores fields of other types than those of a log record', () => {
  // trace_id as a number, time as text, and a body that is a number.
  const record = Buffer.from(
    '4801' + '0a0178' + '2801' + '620d' + '67656e5f61692e63686f696365',
    'hex',
  )
  expect([...logsInProtobuf(field(1, field(2, field(2, record))))]).toEqual([undefined])
})
