import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { AnyValue, KeyValue } from '@slipway/proto/opentelemetry/proto/common/v1/common'
import type { LogRecord } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'
import {
  Span_SpanKind,
  Status_StatusCode,
  type Span,
  type Span_Event,
  type Status,
} from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { READ_DEPTH } from './bounds.ts'
import { emptyLog } from './decode-log-fields.ts'
import { emptySpan } from './decode-span-fields.ts'

/** A value, or a member of an object that may be missing. */
type Member = JsonValue | undefined

/**
 * Reads a span in OTLP's JSON. A member that can't be read costs only itself: it keeps its default,
 * and an attribute has no value. Fields that aren't stored keep their defaults.
 */
export function decodeJsonSpan(json: JsonObject): Span {
  const span = emptySpan()
  span.traceId = idIn(member(json, 'traceId', 'trace_id'))
  span.spanId = idIn(member(json, 'spanId', 'span_id'))
  span.parentSpanId = idIn(member(json, 'parentSpanId', 'parent_span_id'))
  span.name = textIn(json['name']) ?? ''
  span.kind = enumIn(json['kind'], Span_SpanKind, 'SPAN_KIND_')
  span.startTimeUnixNano = timeIn(member(json, 'startTimeUnixNano', 'start_time_unix_nano'))
  span.endTimeUnixNano = timeIn(member(json, 'endTimeUnixNano', 'end_time_unix_nano'))
  span.attributes = pairsIn(json['attributes'], 2)
  span.events = listIn(json['events']).filter(isObject).map(toEvent)
  const { status, flags } = json
  if (isObject(status)) span.status = toStatus(status)
  span.flags = typeof flags === 'number' && isUint32(flags) ? flags : 0
  return span
}

/** Reads a log record in OTLP's JSON, with the rules of `decodeJsonSpan`. */
export function decodeJsonLog(json: JsonObject): LogRecord {
  const log = emptyLog()
  log.traceId = idIn(member(json, 'traceId', 'trace_id'))
  log.spanId = idIn(member(json, 'spanId', 'span_id'))
  log.timeUnixNano = timeIn(member(json, 'timeUnixNano', 'time_unix_nano'))
  log.observedTimeUnixNano = timeIn(member(json, 'observedTimeUnixNano', 'observed_time_unix_nano'))
  log.eventName = textIn(member(json, 'eventName', 'event_name')) ?? ''
  log.body = anyValueIn(json['body'], 2)
  log.attributes = pairsIn(json['attributes'], 2)
  return log
}

function toEvent(json: JsonObject): Span_Event {
  return {
    $typeName: 'opentelemetry.proto.trace.v1.Span.Event',
    timeUnixNano: timeIn(member(json, 'timeUnixNano', 'time_unix_nano')),
    name: textIn(json['name']) ?? '',
    attributes: pairsIn(json['attributes'], 3),
    droppedAttributesCount: 0,
  }
}

function toStatus(json: JsonObject): Status {
  return {
    $typeName: 'opentelemetry.proto.trace.v1.Status',
    message: textIn(json['message']) ?? '',
    code: enumIn(json['code'], Status_StatusCode, 'STATUS_CODE_'),
  }
}

function pairsIn(list: Member, depth: number): KeyValue[] {
  const pairs: KeyValue[] = []
  for (const json of listIn(list)) {
    if (!isObject(json)) continue
    const pair: KeyValue = {
      $typeName: 'opentelemetry.proto.common.v1.KeyValue',
      key: textIn(json['key']) ?? '',
      keyStrindex: 0,
    }
    const value = anyValueIn(json['value'], depth + 1)
    if (value !== undefined) pair.value = value
    pairs.push(pair)
  }
  return pairs
}

/**
 * Reads an AnyValue at a depth of messages; undefined if it isn't one. In a list, the place of
 * such a value is empty.
 */
function anyValueIn(json: Member, depth: number): AnyValue | undefined {
  if (!isObject(json) || depth > READ_DEPTH) return undefined
  let isEmpty = true
  for (const key in json) {
    const read = CONTENTS.get(key)
    const sent = json[key]
    if (read === undefined || sent === null || sent === undefined) continue
    isEmpty = false
    const value = read(sent, depth)
    if (value !== undefined) return anyValue(value)
  }
  return isEmpty ? anyValue(NOTHING) : undefined
}

type Content = AnyValue['value']

const NOTHING: Content = { case: undefined }

function anyValue(value: Content): AnyValue {
  return { $typeName: 'opentelemetry.proto.common.v1.AnyValue', value }
}

type ReadContent = (json: JsonValue, depth: number) => Content | undefined

const readString: ReadContent = (json) => {
  const value = textIn(json)
  return value === undefined ? undefined : { case: 'stringValue', value }
}

const readBool: ReadContent = (value) =>
  typeof value === 'boolean' ? { case: 'boolValue', value } : undefined

const readInt: ReadContent = (json) => {
  const value = integerIn(json)
  const isInt64 = value !== undefined && BigInt.asIntN(64, value) === value
  return isInt64 ? { case: 'intValue', value } : undefined
}

const readDouble: ReadContent = (json) => {
  const value = typeof json === 'string' && DOUBLE.test(json) ? Number(json) : json
  return typeof value === 'number' ? { case: 'doubleValue', value } : undefined
}

const DOUBLE = /^(NaN|-?Infinity|-?\d{1,40}(\.\d{1,40})?([eE][-+]?\d{1,3})?)$/

const readArray: ReadContent = (json, depth) => {
  if (!isObject(json)) return undefined
  const values = listIn(json['values']).map(
    (each) => anyValueIn(each, depth + 2) ?? anyValue(NOTHING),
  )
  const $typeName = 'opentelemetry.proto.common.v1.ArrayValue'
  return { case: 'arrayValue', value: { $typeName, values } }
}

const readList: ReadContent = (json, depth) => {
  if (!isObject(json)) return undefined
  const $typeName = 'opentelemetry.proto.common.v1.KeyValueList'
  const values = pairsIn(json['values'], depth + 2)
  return { case: 'kvlistValue', value: { $typeName, values } }
}

const readBytes: ReadContent = (json) =>
  typeof json === 'string'
    ? { case: 'bytesValue', value: Uint8Array.from(Buffer.from(json, 'base64')) }
    : undefined

/** How the contents of an AnyValue are read, by both forms of their keys. */
const CONTENTS: ReadonlyMap<string, ReadContent> = new Map([
  ['stringValue', readString],
  ['string_value', readString],
  ['boolValue', readBool],
  ['bool_value', readBool],
  ['intValue', readInt],
  ['int_value', readInt],
  ['doubleValue', readDouble],
  ['double_value', readDouble],
  ['arrayValue', readArray],
  ['array_value', readArray],
  ['kvlistValue', readList],
  ['kvlist_value', readList],
  ['bytesValue', readBytes],
  ['bytes_value', readBytes],
])

/** Returns the first of these members that is set. */
function member(json: JsonObject, key: string, otherKey: string): Member {
  return json[key] ?? json[otherKey]
}

function listIn(json: Member): readonly JsonValue[] {
  return Array.isArray(json) ? json : []
}

/** Reads a text. Senders that truncate strings produce lone surrogates: U+FFFD replaces them. */
function textIn(json: Member): string | undefined {
  if (typeof json !== 'string') return undefined
  return json.isWellFormed() ? json : json.toWellFormed()
}

/** Reads a hexadecimal id; empty if it isn't one. */
function idIn(json: Member): Uint8Array<ArrayBuffer> {
  const isId = typeof json === 'string' && /^([0-9a-fA-F]{2}){1,16}$/.test(json)
  return isId ? new Uint8Array(Buffer.from(json, 'hex')) : NO_BYTES
}

const NO_BYTES = new Uint8Array()
const MAX_UINT64 = 2n ** 64n - 1n

function timeIn(json: Member): bigint {
  const time = integerIn(json) ?? 0n
  return time >= 0n && time <= MAX_UINT64 ? time : 0n
}

function integerIn(json: Member): bigint | undefined {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : undefined
  return typeof json === 'string' && /^-?\d{1,20}$/.test(json) ? BigInt(json) : undefined
}

function isUint32(value: number): boolean {
  return value >>> 0 === value
}

/** Reads a value of an enum, by its number or its name; 0 for others. */
function enumIn<Value extends number>(
  json: Member,
  values: Readonly<Record<string, string | Value>>,
  prefix: string,
): Value {
  const value = typeof json === 'string' ? values[json.replace(prefix, '')] : json
  return (Number.isInteger(value) ? value : 0) as Value
}

export function isObject(value: Member): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
