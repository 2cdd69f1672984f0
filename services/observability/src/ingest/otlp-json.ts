import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { SpanSchema, type Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { MAX_CHILDREN, MAX_SPAN_VALUES, MAX_SPANS } from './bounds.ts'
import { UNREADABLE, UnreadableSpan } from './unreadable-span.ts'
import { BadRequest } from './http-error.ts'
import { countJsonValues } from './json-size.ts'

/** Most values of a request in JSON, which are all in memory at once. */
const MAX_VALUES = 400_000
/** What a value of parsed JSON takes. */
const BYTES_PER_VALUE = 32

/**
 * The spans of a request in OTLP's JSON, which is the usual JSON of protobuf but for the ids of
 * traces and spans: those are in hexadecimal. Throws for what is no request, or has too many spans
 * or values. `reserve` is told how many bytes reading it takes before they are taken.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function* spansInJson(
  body: Buffer,
  reserve: (bytes: number) => void,
): Iterable<Span | UnreadableSpan> {
  const values = countJsonValues(body, MAX_VALUES)
  if (values > MAX_VALUES) throw tooLarge(`has more than ${MAX_VALUES} values`)
  reserve(body.length + values * BYTES_PER_VALUE)
  const spans = findSpans(JSON.parse(body.toString('utf8')))
  if (spans.length > MAX_SPANS) throw tooLarge(`has more than ${MAX_SPANS} spans`)
  for (const span of spans) yield readSpan(span)
}

function tooLarge(what: string): BadRequest {
  return new BadRequest(`the request ${what}`, undefined, 413)
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
 * Puts U+FFFD for halves of characters, which senders make by cutting text, throughout a value;
 * false when there are too many values in it.
 */
function makeWellFormed(value: JsonObject): boolean {
  const waiting: (JsonObject | JsonValue[])[] = [value]
  let left = MAX_SPAN_VALUES
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // A list's elements have their numbers as keys.
    const container = next as JsonObject
    for (const key in container) {
      left -= 1
      if (left < 0) return false
      const member = container[key]
      if (typeof member === 'string') {
        if (!member.isWellFormed()) container[key] = member.toWellFormed()
      } else if (typeof member === 'object' && member !== null) waiting.push(member)
    }
  }
  return true
}

const ID_KEYS = ['traceId', 'trace_id', 'spanId', 'span_id', 'parentSpanId', 'parent_span_id']

/** An id that isn't hexadecimal becomes empty, which is then what is wrong with the span. */
function convertIds(object: JsonObject): void {
  for (const key of ID_KEYS) {
    const id = object[key]
    if (typeof id !== 'string') continue
    object[key] = /^([0-9a-fA-F]{2})*$/.test(id) ? Buffer.from(id, 'hex').toString('base64') : ''
  }
}

/** The list that a member holds; empty when there is none. Throws when it is something else. */
function listOf(object: JsonObject, ...keys: readonly string[]): readonly JsonValue[] {
  for (const key of keys) {
    const list = object[key]
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) throw new Error(`${key} is no list`)
    return list
  }
  return []
}

function objects(values: readonly JsonValue[]): readonly JsonObject[] {
  return values.map((value) => {
    if (!isObject(value)) throw new Error('an object is missing')
    return value
  })
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
