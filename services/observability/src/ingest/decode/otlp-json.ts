import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

import { MAX_FIELDS, MAX_OUTER_FIELDS, MAX_SCOPE_BYTES, MAX_SPANS } from './bounds.ts'
import { decodeJsonSpan, isObject } from './decode-json-fields.ts'
import type { DecodedSpan } from './decoded-record.ts'
import { BadRequest } from './http-error.ts'
import { JsonReader, type InSlices, type JsonSlice, type PAUSE } from './json-reader.ts'
import { parseJson } from './parse-json.ts'
import { trimRecord } from './trim-record.ts'
import { orUnreadable, UNREADABLE, UnreadableRecord } from './unreadable-record.ts'

/** The memory that one parsed JSON value takes. */
const BYTES_PER_VALUE = 32

/**
 * Yields the spans of a request in OTLP's JSON, which is protobuf's JSON mapping with hexadecimal
 * trace and span ids. Its spans are found first and then parsed one by one, because parsing a large
 * request as a whole would block the event loop. Before, calls `reserve` with the memory that this
 * needs. Throws if the body is not a request, or has too many spans.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function* spansInJson(
  body: Buffer,
  reserve: (bytes: number) => void,
): Iterable<DecodedSpan | UnreadableRecord | typeof PAUSE> {
  for (const record of yield* recordsInJson(body, SPAN_KEYS, reserve)) {
    const json = parseRecord(record)
    yield json instanceof UnreadableRecord ? json : readSpan(json, record.scope.name)
  }
}

function readSpan(json: JsonObject, scope: string): DecodedSpan {
  const span = decodeJsonSpan(json)
  return { span, scope, removed: trimRecord(span) }
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

/** A span or log record of a request. */
export interface JsonRecord {
  readonly json: JsonSlice
  readonly scope: { readonly name: string }
}

/** Finds the spans or log records of a request, with the rules of `spansInJson`. */
export function* recordsInJson(
  body: Buffer,
  keys: RecordKeys,
  reserve: (bytes: number) => void,
): InSlices<readonly JsonRecord[]> {
  const reader = new JsonReader(body)
  const finder = new RecordFinder(reader, keys)
  yield* finder.readRequest()
  reader.end()
  const { records } = finder
  const longest = records.reduce((most, { json }) => Math.max(most, memoryOf(json)), 0)
  reserve(longest)
  return records
}

function memoryOf({ bytes, values }: JsonSlice): number {
  return values > MAX_FIELDS ? 0 : 2 * bytes.length + values * BYTES_PER_VALUE
}

/** Finds the records on the path from a request to them. What isn't on it is skipped. */
class RecordFinder {
  readonly records: JsonRecord[] = []
  readonly #reader: JsonReader
  readonly #keys: RecordKeys
  #fieldsLeft = MAX_OUTER_FIELDS

  constructor(reader: JsonReader, keys: RecordKeys) {
    this.#reader = reader
    this.#keys = keys
  }

  *readRequest(): InSlices {
    yield* this.#members(this.#keys.resources, (key) => this.#readResources(key))
  }

  *#readResources(key: string): InSlices {
    const { isAtList, isAtNull } = this.#reader
    if (!isAtList && !isAtNull) throw new Error(`${key} is not a list`)
    yield* this.#readEach(() => this.#readResource())
  }

  *#readResource(): InSlices {
    const readScopes = () => this.#readEach(() => this.#readScoped())
    yield* this.#members(this.#keys.scopes, readScopes)
  }

  *#readScoped(): InSlices {
    // The scope may follow the records.
    const scope = { name: '' }
    yield* this.#members(['scope', ...this.#keys.records], (key) =>
      key === 'scope' ? this.#readScope(scope) : this.#readRecords(scope),
    )
  }

  *#readScope(scope: { name: string }): InSlices {
    const reader = this.#reader
    if (!reader.isAtObject) yield* reader.value()
    else {
      yield* this.#members(['name'], function* readName() {
        scope.name = nameIn((yield* reader.value()).bytes)
      })
    }
  }

  *#readRecords(scope: JsonRecord['scope']): InSlices {
    const reader = this.#reader
    const add = (json: JsonSlice) => this.#add(json, scope)
    yield* this.#readList(function* readRecord() {
      add(yield* reader.value())
    })
  }

  /** Reads the objects in a list. A value of another kind counts as one record. */
  *#readEach(read: () => InSlices): InSlices {
    yield* this.#readList(() => (this.#reader.isAtObject ? read() : this.#readOther()))
  }

  *#readList(read: () => InSlices): InSlices {
    const count = () => this.#count()
    if (!this.#reader.isAtList) yield* this.#readOther()
    else {
      yield* this.#reader.elements(function* readElement() {
        count()
        yield* read()
      })
    }
  }

  /** Skips a value that is not what it should be. */
  *#readOther(): InSlices {
    const isNull = this.#reader.isAtNull
    yield* this.#reader.value()
    if (!isNull) this.#add(UNREADABLE_VALUE, { name: '' })
  }

  /** Reads the members of an object that are wanted, and skips the others. */
  *#members(wanted: readonly string[], read: (key: string) => InSlices): InSlices {
    yield* this.#reader.members((key) => {
      this.#count()
      return wanted.includes(key) ? read(key) : this.#skipValue()
    })
  }

  *#skipValue(): InSlices {
    yield* this.#reader.value()
  }

  #add(json: JsonSlice, scope: JsonRecord['scope']): void {
    if (this.records.push({ json, scope }) > MAX_SPANS)
      throw tooMany(`${MAX_SPANS} spans or log records`)
  }

  #count(): void {
    this.#fieldsLeft -= 1
    if (this.#fieldsLeft < 0) throw tooMany(`${MAX_OUTER_FIELDS} values around its records`)
  }
}

const UNREADABLE_VALUE: JsonSlice = { bytes: Buffer.from('null'), values: 0 }

/** Returns the text of a JSON string up to its maximum length; empty for other values. */
function nameIn(json: Buffer): string {
  if (json[0] !== 0x22 || json.length > MAX_NAME_JSON) return ''
  try {
    return String(JSON.parse(json.toString('utf8'))).slice(0, MAX_SCOPE_BYTES)
  } catch {
    return ''
  }
}

/** An escaped character takes six bytes. */
const MAX_NAME_JSON = 64 * MAX_SCOPE_BYTES

function tooMany(limit: string): BadRequest {
  return new BadRequest(`the request has more than ${limit}; send it in parts`, { status: 413 })
}

/** Parses a span or log record, or says why it can't be read. */
export function parseRecord({
  json: { bytes, values },
}: JsonRecord): JsonObject | UnreadableRecord {
  if (values > MAX_FIELDS) return new UnreadableRecord(UNREADABLE.tooLarge)
  return orUnreadable(() => {
    const json = parseJson(bytes.toString('utf8')) as JsonValue
    if (!isObject(json)) throw new TypeError('the record is not an object')
    return json
  })
}
