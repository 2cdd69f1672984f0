import { create, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { KeyValueSchema } from '@slipway/proto/opentelemetry/proto/common/v1/common'
import type { LogRecord } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'

import { CONTENT_KEY, contentEventOf } from '../messages/event-messages.ts'
import { decodeJsonLog, isObject } from '../decode/decode-json-fields.ts'
import { decodeLogFields } from '../decode/decode-log-fields.ts'
import type { DecodedLog } from '../decode/decoded-record.ts'
import { isId, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../decode/ids.ts'
import { parseRecord, recordsInJson, type RecordKeys } from '../decode/otlp-json.ts'
import { recordsInProtobuf } from '../decode/otlp-protobuf.ts'
import { trimRecord } from '../decode/trim-record.ts'
import { orUnreadable, UnreadableRecord } from '../decode/unreadable-record.ts'
import type { SentRecord } from '../pipeline/signal.ts'

/**
 * Yields the log records of a protobuf request, with the rules of `spansInProtobuf`. Those without
 * the content of a GenAI operation or the id of a span are undefined.
 */
export function* logsInProtobuf(request: Uint8Array): Iterable<SentRecord<DecodedLog>> {
  for (const { encoded, scope } of recordsInProtobuf(request))
    yield orUnreadable(() => withContent(decodeLogFields(encoded), scope.name))
}

const LOG_KEYS: RecordKeys = {
  resources: ['resourceLogs', 'resource_logs'],
  scopes: ['scopeLogs', 'scope_logs'],
  records: ['logRecords', 'log_records'],
}

/** Yields the log records of a request in OTLP's JSON, as `logsInProtobuf` does. */
export function* logsInJson(
  body: Buffer,
  reserve: (bytes: number) => void,
): Iterable<SentRecord<DecodedLog>> {
  for (const record of yield* recordsInJson(body, LOG_KEYS, reserve)) {
    const json = parseRecord(record)
    yield json instanceof UnreadableRecord ? json : readJson(json, record.scope.name)
  }
}

/** Most records have no content: then only what shows this is decoded. */
function readJson(json: JsonObject, scope: string): DecodedLog | undefined {
  const { attributes } = json
  const names = Array.isArray(attributes) ? attributes.filter(isEventName) : []
  const named = decodeJsonLog({ ...json, attributes: names, body: null })
  return withContent(named, scope) && withContent(decodeJsonLog(json), scope)
}

function isEventName(attribute: JsonValue): boolean {
  return isObject(attribute) && attribute['key'] === EVENT_NAME
}

/** Returns a log record that has the content of a span, with its body as an attribute. */
function withContent(log: LogRecord, scope: string): DecodedLog | undefined {
  const event = eventOf(log, scope)
  const { traceId, spanId, body } = log
  if (event === undefined || !isId(traceId, TRACE_ID_BYTES) || !isId(spanId, SPAN_ID_BYTES))
    return undefined
  if (body?.value.case !== undefined)
    log.attributes.push(create(KeyValueSchema, { key: CONTENT_KEY, value: body }))
  return { log, event, removed: trimRecord(log) }
}

const EVENT_NAME = 'event.name'

/**
 * Returns the event with content that a log record names in its own field, or else in an attribute:
 * some SDKs have a place in the sources in the field.
 */
function eventOf({ eventName, attributes }: LogRecord, scope: string): string | undefined {
  const ofField = contentEventOf(eventName, scope)
  if (ofField !== undefined) return ofField
  const named = attributes.findLast(({ key }) => key === EVENT_NAME)?.value?.value
  return named?.case === 'stringValue' ? contentEventOf(named.value, scope) : undefined
}
