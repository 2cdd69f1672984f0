import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

import { MAX_OUTER_FIELDS, MAX_SCOPE_BYTES, MAX_SPANS } from './bounds.ts'
import { decodeSpanFields } from './decode-span-fields.ts'
import { NOTHING_REMOVED, type DecodedSpan } from './decoded-span.ts'
import { BadRequest } from './http-error.ts'
import { childShapes, hasTooManyFields, isTooLarge, readTag } from './span-size.ts'
import { lastField, trimSpan } from './trim-span.ts'
import { UNREADABLE, UnreadableSpan } from './unreadable-span.ts'

/** The field numbers on the path from a request to its spans, or to its log records. */
const RESOURCES = 1
const SCOPES = 2
const SCOPE = 1
const SCOPE_NAME = 1
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
export function* spansInProtobuf(request: Uint8Array): Iterable<DecodedSpan | UnreadableSpan> {
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
      if (field === SCOPE) scope.name = lastText(encoded, SCOPE_NAME)
      else add(encoded, scope)
    }
  }
  /** Of a message with records, the part that can't be read counts as one record. */
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

function lastText(message: Uint8Array, field: number): string {
  return Buffer.from(lastField(message, field)).toString('utf8', 0, MAX_SCOPE_BYTES)
}

/** Decodes a span. Removes attributes, events and links if it has too many. */
export function decodeSpan({ encoded, scope }: EncodedRecord): DecodedSpan | UnreadableSpan {
  try {
    if (hasTooManyFields(encoded, childShapes)) return new UnreadableSpan(UNREADABLE.tooLarge)
    const fitting = isTooLarge(encoded) ? trimSpan(encoded) : { encoded, removed: NOTHING_REMOVED }
    const span = decodeSpanFields(fitting.encoded)
    return { span, scope: scope.name, removed: fitting.removed }
  } catch {
    return new UnreadableSpan(UNREADABLE.malformed)
  }
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
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, wireType] = readTag(reader)
    fields.left -= 1
    if (fields.left < 0) throw tooMany()
    if (!wanted.includes(number)) reader.skip(wireType, number)
    else if (wireType === WireType.LengthDelimited) yield [number, reader.bytes()]
    else {
      reader.skip(wireType, number)
      yield [number, UNREADABLE_BYTES]
    }
  }
}

function tooMany(): BadRequest {
  const limits = `${MAX_SPANS} spans or log records, or ${MAX_OUTER_FIELDS} outer fields`
  return new BadRequest(`the request has more than ${limits}; send it in parts`, { status: 413 })
}
