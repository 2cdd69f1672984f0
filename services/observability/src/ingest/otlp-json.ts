import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { SpanSchema, type Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { countJsonValues } from '@slipway/shared/json-values'

import { MAX_CHILDREN, MAX_SPAN_VALUES, MAX_SPANS } from './bounds.ts'
import { UNREADABLE, UnreadableSpan } from './unreadable-span.ts'
import { BadRequest } from './http-error.ts'

/** Maximum number of values in one JSON request. All of them are in memory at the same time. */
const MAX_VALUES = 200_000
/** The memory that one parsed JSON value takes. */
const BYTES_PER_VALUE = 32

/**
 * Yields the spans of a request in OTLP's JSON, which is protobuf's JSON mapping with hexadecimal
 * trace and span ids. Before parsing, calls `reserve` with the memory that parsing needs. Throws if
 * the body is not a request, or has too many spans or values.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function* spansInJson(
  body: Buffer,
  reserve: (bytes: number) => void,
): Iterable<Span | UnreadableSpan> {
  const values = countJsonValues(body, MAX_VALUES)
  if (values > MAX_VALUES) throw tooLarge(`${MAX_VALUES} values`)
  reserve(body.length + values * BYTES_PER_VALUE)
  const spans = findSpans(JSON.parse(body.toString('utf8')))
  if (spans.length > MAX_SPANS) throw tooLarge(`${MAX_SPANS} spans`)
  for (const span of spans) yield readSpan(span)
}

function tooLarge(limit: string): BadRequest {
  return new BadRequest(`the request has more than ${limit}`, { status: 413 })
}

function findSpans(request: JsonValue): readonly JsonValue[] {
  return objects([request])
    .flatMap((object) => objects(listOf(object, 'resourceSpans', 'resource_spans')))
    .flatMap((object) => objects(listOf(object, 'scopeSpans', 'scope_spans')))
    .flatMap((object) => listOf(object, 'spans'))
}

function readSpan(json: JsonValue): Span | UnreadableSpan {
  if (!isObject(json)) return new UnreadableSpan(UNREADABLE.malformed)
  try {
    const links = listOf(json, 'links')
    const children = [listOf(json, 'attributes'), listOf(json, 'events'), links]
    if (children.some(({ length }) => length > MAX_CHILDREN))
      return new UnreadableSpan(UNREADABLE.tooManyChildren)
    if (!makeWellFormed(json)) return new UnreadableSpan(UNREADABLE.tooManyValues)
    convertIds(json)
    for (const link of links) if (isObject(link)) convertIds(link)
    return fromJson(SpanSchema, json, { ignoreUnknownFields: true })
  } catch {
    return new UnreadableSpan(UNREADABLE.malformed)
  }
}

/**
 * Replaces lone surrogates, which senders produce by truncating strings, with U+FFFD throughout a
 * value. Returns false if it contains too many values.
 */
function makeWellFormed(value: JsonObject): boolean {
  const pending: (JsonObject | JsonValue[])[] = [value]
  let left = MAX_SPAN_VALUES
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // The keys of a list are its indexes.
    const container = next as JsonObject
    for (const key in container) {
      left -= 1
      if (left < 0) return false
      const member = container[key]
      if (typeof member === 'string') {
        if (!member.isWellFormed()) container[key] = member.toWellFormed()
      } else if (typeof member === 'object' && member !== null) pending.push(member)
    }
  }
  return true
}

const ID_KEYS = ['traceId', 'trace_id', 'spanId', 'span_id', 'parentSpanId', 'parent_span_id']

/**
 * Converts hexadecimal ids to the base64 of protobuf's JSON. An id that isn't hexadecimal becomes
 * empty, so its span is rejected.
 */
function convertIds(object: JsonObject): void {
  for (const key of ID_KEYS) {
    const id = object[key]
    if (typeof id !== 'string') continue
    object[key] = /^([0-9a-fA-F]{2})*$/.test(id) ? Buffer.from(id, 'hex').toString('base64') : ''
  }
}

/** Returns the list under the first key that is set, or an empty list. Throws for other values. */
function listOf(object: JsonObject, ...keys: readonly string[]): readonly JsonValue[] {
  for (const key of keys) {
    const list = object[key]
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) throw new Error(`${key} is not a list`)
    return list
  }
  return []
}

function objects(values: readonly JsonValue[]): readonly JsonObject[] {
  return values.map((value) => {
    if (!isObject(value)) throw new Error('a list element is not an object')
    return value
  })
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
