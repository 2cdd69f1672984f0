import { MAX_OUTER_FIELDS, MAX_SCOPE_BYTES, MAX_SPANS } from './bounds.ts'
import { decodeSpanFields } from './decode-span-fields.ts'
import type { DecodedSpan } from './decoded-record.ts'
import { BadRequest } from './http-error.ts'
import { bytesTag, readRecord, type Fields } from './read-fields.ts'
import { RecordReader } from './record-reader.ts'
import { trimRecord } from './trim-record.ts'
import { orUnreadable, type UnreadableRecord } from './unreadable-record.ts'

/** The field numbers on the path from a request to its spans, or to its log records. */
const RESOURCES = 1
const SCOPES = 2
const SCOPE = 1
const RECORDS = 2

/** A span or log record of a request. */
export interface EncodedRecord {
  readonly encoded: Uint8Array
  readonly scope: { readonly name: string }
}

/**
 * Decodes the spans of a protobuf request one by one: decoding a large request as a whole would
 * block the event loop. Throws before decoding any span if the bytes are not a request or have too
 * many spans.
 */
export function* spansInProtobuf(request: Uint8Array): Iterable<DecodedSpan | UnreadableRecord> {
  for (const span of recordsInProtobuf(request)) yield decodeSpan(span)
}

/**
 * Finds the encoded spans, or log records, of a request. Throws if the bytes are not a request or
 * have too many. What can't be read inside of them costs only itself.
 */
export function recordsInProtobuf(request: Uint8Array): readonly EncodedRecord[] {
  const records: EncodedRecord[] = []
  const fields = { left: MAX_OUTER_FIELDS }
  const add = (encoded: Uint8Array, scope: EncodedRecord['scope']) => {
    if (records.push({ encoded, scope }) > MAX_SPANS) throw tooMany()
  }
  const readScoped = (scoped: Uint8Array) => {
    // The scope may follow the records.
    const scope = { name: '' }
    for (const [field, encoded] of fieldsIn(scoped, [SCOPE, RECORDS], fields)) {
      if (field === SCOPE) readScope(scope, encoded)
      else add(encoded, scope)
    }
  }
  /** The part of a message that can't be read counts as one record. */
  const orUnreadable = (read: () => void) => {
    try {
      read()
    } catch (error) {
      if (error instanceof BadRequest) throw error
      add(UNREADABLE_BYTES, { name: '' })
    }
  }
  const readResource = (resource: Uint8Array) => {
    for (const scoped of messagesIn(resource, SCOPES, fields))
      orUnreadable(() => readScoped(scoped))
  }
  for (const resource of messagesIn(request, RESOURCES, fields)) {
    if (resource === UNREADABLE_BYTES) throw new Error('a resource is not a message')
    orUnreadable(() => readResource(resource))
  }
  return records
}

/** Bytes that can't be read as a message. */
const UNREADABLE_BYTES = Uint8Array.of(0xff)

/** Reads what can be read of a scope. */
function readScope(scope: { name: string }, encoded: Uint8Array): void {
  try {
    readRecord(scope, SCOPE_FIELDS, new RecordReader(encoded))
  } catch {
    // It keeps the name that was read.
  }
}

const SCOPE_FIELDS: Fields<{ name: string }> = new Map([
  [
    bytesTag(1),
    (scope, reader) => {
      const name = reader.bytes().subarray(0, MAX_SCOPE_BYTES)
      scope.name = Buffer.from(name).toString('utf8')
    },
  ],
])

/** Decodes a span. Removes attributes and events if it has too many. */
export function decodeSpan({ encoded, scope }: EncodedRecord): DecodedSpan | UnreadableRecord {
  return orUnreadable(() => {
    const span = decodeSpanFields(encoded)
    return { span, scope: scope.name, removed: trimRecord(span) }
  })
}

/** Yields the encoded messages of one repeated field of a message. */
function* messagesIn(
  message: Uint8Array,
  field: number,
  fields: { left: number },
): Iterable<Uint8Array> {
  for (const [, encoded] of fieldsIn(message, [field], fields)) yield encoded
}

/** Yields the encoded messages of several fields of a message, each with the field's number. */
function* fieldsIn(
  message: Uint8Array,
  wanted: readonly number[],
  fields: { left: number },
): Iterable<readonly [number, Uint8Array]> {
  const reader = new RecordReader(message)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    fields.left -= 1
    if (fields.left < 0) throw tooMany()
    const number = wanted.find((each) => each === tag >>> 3)
    if (number !== undefined && tag === bytesTag(number)) yield [number, reader.bytes()]
    else {
      reader.skipField(tag)
      if (number !== undefined) yield [number, UNREADABLE_BYTES]
    }
  }
}

function tooMany(): BadRequest {
  const limits = `${MAX_SPANS} spans or log records, or ${MAX_OUTER_FIELDS} outer fields`
  return new BadRequest(`the request has more than ${limits}; send it in parts`, { status: 413 })
}
