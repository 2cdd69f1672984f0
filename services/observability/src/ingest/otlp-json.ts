import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { countJsonValues } from '@slipway/shared/json-values'

import { MAX_SCOPE_BYTES, MAX_SPANS } from './bounds.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { BadRequest } from './http-error.ts'
import { trimJsonSpan } from './trim-json-span.ts'
import { UNREADABLE, UnreadableSpan } from './unreadable-span.ts'

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
): Iterable<DecodedSpan | UnreadableSpan> {
  for (const span of recordsInJson(body, SPAN_KEYS, reserve)) yield decodeJsonSpan(span)
}

/** The keys on the path from a request to its records, each in both forms. */
export interface RecordKeys {
  readonly resources: readonly string[]
  readonly scopes: readonly string[]
  readonly records: readonly string[]
}

const SPAN_KEYS: RecordKeys = {
  resources: ['resourceSpans', 'resource_spans'],
  scopes: ['scopeSpans', 'scope_spans'],
  records: ['spans'],
}

/** Parses a request, and finds its spans or log records, with the rules of `spansInJson`. */
export function recordsInJson(
  body: Buffer,
  keys: RecordKeys,
  reserve: (bytes: number) => void,
): readonly JsonRecord[] {
  const values = countJsonValues(body, MAX_VALUES)
  if (values > MAX_VALUES) throw tooLarge(`${MAX_VALUES} values`)
  reserve(body.length + values * BYTES_PER_VALUE)
  const records = findRecords(JSON.parse(body.toString('utf8')), keys)
  if (records.length > MAX_SPANS) throw tooLarge(`${MAX_SPANS} spans or log records`)
  return records
}

function tooLarge(limit: string): BadRequest {
  return new BadRequest(`the request has more than ${limit}; send it in parts`, { status: 413 })
}

/** A span or log record of a request. */
export interface JsonRecord {
  readonly json: JsonValue
  readonly scope: string
}

function findRecords(request: JsonValue, keys: RecordKeys): readonly JsonRecord[] {
  return objects([request])
    .flatMap((object) => objects(listOf(object, ...keys.resources)))
    .flatMap((object) => objects(listOf(object, ...keys.scopes)))
    .flatMap((object) => {
      const scope = scopeName(object)
      return listOf(object, ...keys.records).map((json) => ({ json, scope }))
    })
}

function scopeName({ scope }: JsonObject): string {
  const name = isObject(scope ?? null) ? (scope as JsonObject)['name'] : undefined
  return typeof name === 'string' ? name.slice(0, MAX_SCOPE_BYTES) : ''
}

/** Decodes a span. Removes attributes, events and links if it has too many. */
export function decodeJsonSpan({ json, scope }: JsonRecord): DecodedSpan | UnreadableSpan {
  if (!isObject(json)) return new UnreadableSpan(UNREADABLE.malformed)
  try {
    for (const key of ['attributes', 'events', 'links']) listOf(json, key)
    const { span, removed } = trimJsonSpan(json)
    makeWellFormed(span)
    convertIds(span)
    for (const link of listOf(span, 'links')) if (isObject(link)) convertIds(link)
    return { span: fromJson(SpanSchema, span, { ignoreUnknownFields: true }), scope, removed }
  } catch {
    return new UnreadableSpan(UNREADABLE.malformed)
  }
}

/**
 * Replaces lone surrogates, which senders produce by truncating strings, with U+FFFD throughout a
 * value.
 */
function makeWellFormed(value: JsonObject): void {
  const pending: (JsonObject | JsonValue[])[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // The keys of a list are its indexes.
    const container = next as JsonObject
    for (const key in container) {
      const member = container[key]
      if (typeof member === 'string') {
        if (!member.isWellFormed()) container[key] = member.toWellFormed()
      } else if (typeof member === 'object' && member !== null) pending.push(member)
    }
  }
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

/** Whether a value is an object. */
export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
