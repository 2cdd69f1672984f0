import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import { MAX_SPAN_VALUES } from '../decode/bounds.ts'
import { contentEventOf, CONTENT_KEY } from '../messages/event-messages.ts'
import { decodeSpan, recordsInProtobuf, type EncodedRecord } from '../decode/otlp-protobuf.ts'
import type { SentRecord } from '../pipeline/signal.ts'
import { hasTooManyFields, logShape, readTag } from '../decode/span-size.ts'
import { keyOf, lastField } from '../decode/trim-span.ts'
import { UNREADABLE, UnreadableSpan } from '../decode/unreadable-span.ts'
import { withIds } from './with-ids.ts'

/** Field numbers of a log record. */
const TIME = 1
const BODY = 5
const ATTRIBUTES = 6
const TRACE_ID = 9
const SPAN_ID = 10
const OBSERVED_TIME = 11
const EVENT_NAME = 12

/** The fields of a span that a log record has as well. */
const SPAN_FIELDS: ReadonlyMap<number, { number: number; type: WireType }> = new Map([
  [TRACE_ID, { number: 1, type: WireType.LengthDelimited }],
  [SPAN_ID, { number: 2, type: WireType.LengthDelimited }],
  [TIME, { number: 7, type: WireType.Bit64 }],
  [OBSERVED_TIME, { number: 8, type: WireType.Bit64 }],
  [ATTRIBUTES, { number: 9, type: WireType.LengthDelimited }],
])
const SPAN_NAME = 5
const SPAN_ATTRIBUTES = 9

/** Field numbers of KeyValue and AnyValue. */
const KEY = 1
const VALUE = 2
const STRING_VALUE = 1

/**
 * Yields the log records of a protobuf request, with the rules of `spansInProtobuf`. Only those
 * with the content of a GenAI operation and the id of a span are decoded; the others are undefined.
 * Each is decoded as a span with the same ids and attributes, its event as the name and its body as
 * an attribute: so the bounds of spans apply.
 */
export function* logsInProtobuf(request: Uint8Array): Iterable<SentRecord> {
  for (const record of recordsInProtobuf(request)) yield readLog(record)
}

function readLog({ encoded, scope }: EncodedRecord): SentRecord {
  try {
    if (hasTooManyFields(encoded, logShape)) return new UnreadableSpan(UNREADABLE.tooLarge)
    const name = contentEventIn(encoded, scope.name)
    if (name === undefined) return undefined
    return withIds(decodeSpan({ encoded: asSpan(encoded, name), scope }))
  } catch {
    return new UnreadableSpan(UNREADABLE.malformed)
  }
}

/**
 * Returns the event with content that a log record names in its own field, or else in an attribute:
 * some SDKs have a place in the sources in the field.
 */
function contentEventIn(record: Uint8Array, scope: string): string | undefined {
  let ofAttribute: Uint8Array = new Uint8Array()
  let ofField: Uint8Array = new Uint8Array()
  for (const { number, bytes } of fieldsOf(record)) {
    if (bytes === undefined) continue
    if (number === EVENT_NAME) ofField = bytes
    else if (number === ATTRIBUTES && keyOf(bytes) === 'event.name')
      ofAttribute = lastField(lastField(bytes, VALUE), STRING_VALUE)
  }
  return [ofField, ofAttribute]
    .map((bytes) => Buffer.from(bytes).toString('utf8', 0, MAX_NAME_BYTES))
    .map((name) => contentEventOf(name, scope))
    .find((name) => name !== undefined)
}

/** Longer than each name of an event with content. */
const MAX_NAME_BYTES = 64

function asSpan(record: Uint8Array, name: string): Uint8Array {
  const span = new BinaryWriter().tag(SPAN_NAME, WireType.LengthDelimited).string(name)
  let body: Uint8Array = new Uint8Array()
  for (const { number, type, bytes, raw } of fieldsOf(record)) {
    if (number === BODY && bytes !== undefined) body = bytes
    const field = SPAN_FIELDS.get(number)
    if (field === undefined || field.type !== type) continue
    span.tag(field.number, type)
    if (bytes === undefined) span.raw(raw)
    else span.bytes(bytes)
  }
  if (body.length > 0) {
    span.tag(SPAN_ATTRIBUTES, WireType.LengthDelimited).fork()
    span.tag(KEY, WireType.LengthDelimited).string(CONTENT_KEY)
    span.tag(VALUE, WireType.LengthDelimited).bytes(body).join()
  }
  return span.finish()
}

interface Field {
  readonly number: number
  readonly type: WireType
  /** The text or message that the field is; undefined if it is a number. */
  readonly bytes: Uint8Array | undefined
  /** The encoded value. */
  readonly raw: Uint8Array
}

/** Yields the fields of a message. Throws if it has more than a span may have values. */
function* fieldsOf(message: Uint8Array): Iterable<Field> {
  const reader = new BinaryReader(message)
  for (let count = 0; reader.pos < reader.len; count += 1) {
    if (count > MAX_SPAN_VALUES) throw new Error('the log record has too many fields')
    const [number, type] = readTag(reader)
    const start = reader.pos
    const bytes = type === WireType.LengthDelimited ? reader.bytes() : undefined
    if (bytes === undefined) reader.skip(type, number)
    yield { number, type, bytes, raw: message.subarray(start, reader.pos) }
  }
}
