import type { LogRecord } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'

import { readAnyValue, readKeyValue } from './decode-values.ts'
import { bytesTag, fixed64Tag, readRecord, type Fields, type ReadField } from './read-fields.ts'
import { RecordReader } from './record-reader.ts'

/** Decodes a log record, with the rules of `decodeSpanFields`. */
export function decodeLogFields(encoded: Uint8Array): LogRecord {
  return readRecord(emptyLog(), LOG_FIELDS, new RecordReader(encoded))
}

/** Returns a log record whose fields have their defaults. */
export function emptyLog(): LogRecord {
  return {
    $typeName: 'opentelemetry.proto.logs.v1.LogRecord',
    timeUnixNano: 0n,
    observedTimeUnixNano: 0n,
    severityNumber: 0,
    severityText: '',
    attributes: [],
    droppedAttributesCount: 0,
    flags: 0,
    traceId: NO_BYTES,
    spanId: NO_BYTES,
    eventName: '',
  }
}

const NO_BYTES = new Uint8Array()

const LOG_FIELDS: Fields<LogRecord> = new Map<number, ReadField<LogRecord>>([
  [fixed64Tag(1), (log, reader) => void (log.timeUnixNano = BigInt(reader.fixed64()))],
  [bytesTag(5), (log, ...at) => void (log.body = readAnyValue(...at))],
  [bytesTag(6), (log, ...at) => void log.attributes.push(readKeyValue(...at))],
  [bytesTag(9), (log, reader) => void (log.traceId = reader.bytes())],
  [bytesTag(10), (log, reader) => void (log.spanId = reader.bytes())],
  [fixed64Tag(11), (log, reader) => void (log.observedTimeUnixNano = BigInt(reader.fixed64()))],
  [bytesTag(12), (log, reader) => void (log.eventName = reader.string())],
])
