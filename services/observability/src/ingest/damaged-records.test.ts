import { create, toBinary, toJson, type JsonValue } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { LogRecordSchema } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'
import { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { toAnyValue } from '../../test/support/sent-span.ts'
import { builtInPrices } from '../prices/model-prices.ts'
import { logsInJson, logsInProtobuf } from './logs/sent-logs.ts'
import { toStoredLog } from './logs/read-logs.ts'
import type { DecodedLog, DecodedSpan } from './decode/decoded-record.ts'
import { spansInJson } from './decode/otlp-json.ts'
import { spansInProtobuf } from './decode/otlp-protobuf.ts'
import { toStoredSpan } from './spans/read-spans.ts'
import { resolveSpans } from './spans/resolve-spans.ts'
import type { SentRecord } from './pipeline/signal.ts'

const ids = { traceId: Buffer.alloc(16, 7), spanId: Buffer.alloc(8, 9) }
const messages = [{ role: 'user', parts: [{ type: 'text', content: 'Why?' }] }]
const attributes = [
  { key: 'gen_ai.operation.name', value: toAnyValue('chat') },
  { key: 'gen_ai.usage.input_tokens', value: toAnyValue(12n) },
  { key: 'gen_ai.usage.cost', value: toAnyValue(0.5) },
  { key: 'gen_ai.input.messages', value: toAnyValue(messages) },
  { key: 'event.name', value: toAnyValue('gen_ai.user.message') },
]
const span = create(SpanSchema, {
  ...ids,
  parentSpanId: Buffer.alloc(8, 3),
  name: 'answer',
  kind: 3,
  flags: 0x301,
  startTimeUnixNano: 5n,
  endTimeUnixNano: 9n,
  status: { code: 2, message: 'no model' },
  attributes,
  events: [{ name: 'exception', timeUnixNano: 7n, attributes }],
  links: [{ ...ids, attributes }],
})
const log = create(LogRecordSchema, {
  ...ids,
  timeUnixNano: 5n,
  severityText: 'INFO',
  eventName: 'gen_ai.user.message',
  body: toAnyValue({ content: 'Why?' }),
  attributes,
})

type Sent = SentRecord<DecodedSpan | DecodedLog>

interface Kind {
  readonly sent: Uint8Array
  readonly json: JsonValue
  readonly decode: (body: Buffer) => Iterable<Sent>
  readonly decodeJson: (body: Buffer) => Iterable<Sent>
  readonly listed: (records: readonly unknown[]) => unknown
  readonly store: (record: Sent) => unknown
}

const KINDS: Readonly<Record<string, Kind>> = {
  spans: {
    sent: toBinary(SpanSchema, span),
    json: toJson(SpanSchema, span),
    decode: (body) => spansInProtobuf(body),
    decodeJson: (body) => spansInJson(body, () => {}),
    listed: (spans) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    store: (record) =>
      typeof record === 'object' && 'span' in record
        ? resolveSpans([toStoredSpan(record, builtInPrices, { newestNs: 2n ** 62n })])
        : record,
  },
  logs: {
    sent: toBinary(LogRecordSchema, log),
    json: toJson(LogRecordSchema, log),
    decode: (body) => logsInProtobuf(body),
    decodeJson: (body) => logsInJson(body, () => {}),
    listed: (logRecords) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
    store: (record) =>
      typeof record === 'object' && 'log' in record ? toStoredLog(record, 7n) : record,
  },
}
const kinds = Object.entries(KINDS)

/** A message with a field of bytes for each part. */
function message(number: number, parts: readonly Uint8Array[]): Buffer {
  const writer = new BinaryWriter()
  for (const part of parts) writer.tag(number, WireType.LengthDelimited).bytes(part)
  return Buffer.from(writer.finish())
}

test.each(kinds)('damaged bytes of one of the %s cost no other', (_, { sent, decode, store }) => {
  const request = (records: readonly Uint8Array[]) =>
    message(1, [message(2, [message(2, records)])])
  const [whole] = [...decode(request([sent]))].map(store)
  const damage = fc.array(fc.tuple(fc.nat(sent.length - 1), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(damage, fc.nat(sent.length), (changes, length) => {
      const damaged = Uint8Array.from(sent)
      for (const [place, byte] of changes) damaged[place] = byte
      const cut = sent.slice(0, length)
      const found = [...decode(request([sent, damaged, sent, cut, sent]))].map(store)
      expect(found).toHaveLength(5)
      expect([found[0], found[2], found[4]]).toEqual([whole, whole, whole])
    }),
    { numRuns: rounds(300) },
  )
})

/** All places in a value, as paths. */
function placesIn(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...inner.flatMap(([key, each]) => placesIn(each as JsonValue, [...path, key]))]
}

function replaced(value: JsonValue, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, JsonValue>
  const changed = replaced(copy[key] ?? null, rest, by)
  if (Array.isArray(copy))
    return copy.map((each, index) => (String(index) === key ? changed : each))
  return { ...copy, [key]: changed }
}

test.each(kinds)(
  'wrong JSON in one of the %s costs no other',
  (_, { json, decodeJson, ...kind }) => {
    const { listed, store } = kind
    const read = (records: readonly unknown[]) =>
      [...decodeJson(Buffer.from(JSON.stringify(listed(records))))].map(store)
    const good = withHexIds(json)
    const [whole] = read([good])
    expect(whole).toMatchObject(Array.isArray(whole) ? [ID] : ID)
    const bad = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(
        '',
        'x',
        -1,
        1.5,
        2 ** 70,
        '18446744073709551616',
        [],
        {},
        null,
        true,
      ),
      fc.constantFrom<unknown>({ intValue: {} }, [null], { values: [null] }, { key: 5, value: 5 }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...placesIn(good)), bad, (place, by) => {
        const found = read([good, replaced(good, place, by), good])
        expect(found).toHaveLength(3)
        expect([found[0], found[2]]).toEqual([whole, whole])
        const kept = DETAILS.includes(place[0] ?? '') ? found[1] : whole
        expect(kept).toMatchObject(Array.isArray(whole) ? [ID] : ID)
      }),
      { numRuns: rounds(300) },
    )
  },
)

const ID = { traceId: '07'.repeat(16), spanId: '09'.repeat(8) }
/** What a record is stored without. */
const DETAILS = ['name', 'kind', 'flags', 'status', 'attributes', 'events', 'links', 'severityText']

/** OTLP's JSON has ids in hexadecimal. */
function withHexIds(json: JsonValue): JsonValue {
  return JSON.parse(
    JSON.stringify(json, (key, value: unknown) =>
      key.endsWith('Id') ? Buffer.from(String(value), 'base64').toString('hex') : value,
    ),
  ) as JsonValue
}
