import { fromBinary } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { SpanSchema, type Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { MAX_SPANS } from './bounds.ts'
import { UNREADABLE, UnreadableSpan } from './unreadable-span.ts'
import { BadRequest } from './http-error.ts'
import { findExcess } from './span-size.ts'

/** The field numbers on the path from a request to its spans. */
const RESOURCE_SPANS = 1
const SCOPE_SPANS = 2
const SPANS = 2

/** Maximum number of fields outside of a request's spans. */
const MAX_FIELDS = 8 * MAX_SPANS

/**
 * Decodes the spans of a protobuf request one by one: decoding a large request as a whole would
 * block the event loop. Throws before decoding any span if the bytes are not a request or have too
 * many spans.
 */
export function* spansInProtobuf(request: Uint8Array): Iterable<Span | UnreadableSpan> {
  for (const span of findSpans(request)) yield readSpan(span)
}

function findSpans(request: Uint8Array): readonly Uint8Array[] {
  const spans: Uint8Array[] = []
  const fields = { left: MAX_FIELDS }
  for (const resourceSpans of messagesIn(request, RESOURCE_SPANS, fields)) {
    for (const scopeSpans of messagesIn(resourceSpans, SCOPE_SPANS, fields)) {
      for (const span of messagesIn(scopeSpans, SPANS, fields)) {
        if (spans.push(span) > MAX_SPANS) throw tooMany()
      }
    }
  }
  return spans
}

function readSpan(encoded: Uint8Array): Span | UnreadableSpan {
  try {
    const excess = findExcess(encoded)
    return excess === undefined
      ? fromBinary(SpanSchema, encoded, DECODE_OPTIONS)
      : new UnreadableSpan(excess)
  } catch (error) {
    return new UnreadableSpan(isEncodingError(error) ? UNREADABLE.notUtf8 : UNREADABLE.malformed)
  }
}

const DECODE_OPTIONS = { readUnknownFields: false }

function isEncodingError(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    'code' in error &&
    error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
  )
}

/** Yields the encoded messages of one repeated field of a message. */
function* messagesIn(
  message: Uint8Array,
  field: number,
  fields: { left: number },
): Iterable<Uint8Array> {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    fields.left -= 1
    if (fields.left < 0) throw tooMany()
    if (wireType === WireType.StartGroup) throw new Error('groups are not supported')
    if (number !== field) reader.skip(wireType, number)
    else if (wireType === WireType.LengthDelimited) yield reader.bytes()
    else throw new Error(`field ${number} is not a message`)
  }
}

function tooMany(): BadRequest {
  const message = `the request has more than ${MAX_SPANS} spans or ${MAX_FIELDS} outer fields`
  return new BadRequest(message, { status: 413 })
}
