import type {
  Span,
  Span_Event,
  Span_SpanKind,
  Status,
  Status_StatusCode,
} from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { readKeyValue } from './decode-values.ts'
import {
  bytesTag,
  fixed32Tag,
  fixed64Tag,
  readMessage,
  readRecord,
  varintTag,
  type Fields,
  type ReadField,
} from './read-fields.ts'
import { RecordReader } from './record-reader.ts'

/**
 * Decodes a span in less than half the time of `fromBinary`. Fields that aren't stored keep their
 * defaults. A message inside of it that can't be read costs only itself, and U+FFFD replaces what
 * isn't UTF-8. Throws if the fields of the span itself can't be read.
 */
export function decodeSpanFields(encoded: Uint8Array): Span {
  return readRecord(emptySpan(), SPAN_FIELDS, new RecordReader(encoded))
}

/** Returns a span whose fields have their defaults. */
export function emptySpan(): Span {
  return {
    $typeName: 'opentelemetry.proto.trace.v1.Span',
    traceId: NO_BYTES,
    spanId: NO_BYTES,
    traceState: '',
    parentSpanId: NO_BYTES,
    flags: 0,
    name: '',
    kind: 0,
    startTimeUnixNano: 0n,
    endTimeUnixNano: 0n,
    attributes: [],
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
  }
}

const NO_BYTES = new Uint8Array()

const SPAN_FIELDS: Fields<Span> = new Map<number, ReadField<Span>>([
  [bytesTag(1), (span, reader) => void (span.traceId = reader.bytes())],
  [bytesTag(2), (span, reader) => void (span.spanId = reader.bytes())],
  [bytesTag(4), (span, reader) => void (span.parentSpanId = reader.bytes())],
  [bytesTag(5), (span, reader) => void (span.name = reader.string())],
  [varintTag(6), (span, reader) => void (span.kind = reader.int32() as Span_SpanKind)],
  [fixed64Tag(7), (span, reader) => void (span.startTimeUnixNano = BigInt(reader.fixed64()))],
  [fixed64Tag(8), (span, reader) => void (span.endTimeUnixNano = BigInt(reader.fixed64()))],
  [bytesTag(9), (span, ...at) => void span.attributes.push(readKeyValue(...at))],
  [bytesTag(11), (span, ...at) => void span.events.push(readEvent(...at))],
  [bytesTag(15), (span, ...at) => void (span.status = readStatus(...at))],
  [fixed32Tag(16), (span, reader) => void (span.flags = reader.fixed32())],
])

const EVENT_FIELDS: Fields<Span_Event> = new Map<number, ReadField<Span_Event>>([
  [fixed64Tag(1), (event, reader) => void (event.timeUnixNano = BigInt(reader.fixed64()))],
  [bytesTag(2), (event, reader) => void (event.name = reader.string())],
  [bytesTag(3), (event, ...at) => void event.attributes.push(readKeyValue(...at))],
])

const STATUS_FIELDS: Fields<Status> = new Map<number, ReadField<Status>>([
  [bytesTag(2), (status, reader) => void (status.message = reader.string())],
  [varintTag(3), (status, reader) => void (status.code = reader.int32() as Status_StatusCode)],
])

function readEvent(reader: RecordReader, depth: number): Span_Event {
  const event: Span_Event = {
    $typeName: 'opentelemetry.proto.trace.v1.Span.Event',
    timeUnixNano: 0n,
    name: '',
    attributes: [],
    droppedAttributesCount: 0,
  }
  return readMessage(event, EVENT_FIELDS, reader, depth)
}

function readStatus(reader: RecordReader, depth: number): Status {
  const status: Status = { $typeName: 'opentelemetry.proto.trace.v1.Status', message: '', code: 0 }
  return readMessage(status, STATUS_FIELDS, reader, depth)
}
