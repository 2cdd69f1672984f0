import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

import { contentEventOf, CONTENT_KEY } from '../messages/event-messages.ts'
import { isObject } from '../decode/decode-json-fields.ts'
import {
  decodeJsonSpan,
  parseRecord,
  recordsInJson,
  type JsonRecord,
  type RecordKeys,
} from '../decode/otlp-json.ts'
import type { SentRecord } from '../pipeline/signal.ts'
import { UnreadableSpan } from '../decode/unreadable-span.ts'
import { withIds } from './with-ids.ts'

const LOG_KEYS: RecordKeys = {
  resources: ['resourceLogs', 'resource_logs'],
  scopes: ['scopeLogs', 'scope_logs'],
  records: ['logRecords', 'log_records'],
}

/** Yields the log records of a request in OTLP's JSON, as `logsInProtobuf` does. */
export function* logsInJson(body: Buffer, reserve: (bytes: number) => void): Iterable<SentRecord> {
  for (const record of yield* recordsInJson(body, LOG_KEYS, reserve)) yield readLog(record)
}

function readLog(record: JsonRecord): SentRecord {
  const json = parseRecord(record)
  if (json instanceof UnreadableSpan) return json
  const name = contentEventIn(json, record.scope.name)
  if (name === undefined) return undefined
  return withIds(decodeJsonSpan(asSpan(json, name), record.scope))
}

/** Returns the event with content that a record names, as in protobuf. */
function contentEventIn(record: JsonObject, scope: string): string | undefined {
  const ofField = memberOf(record, 'eventName', 'event_name')
  const { attributes } = record
  const named = Array.isArray(attributes)
    ? attributes.find((attribute) => memberOf(attribute, 'key') === 'event.name')
    : undefined
  const ofAttribute = memberOf(memberOf(named, 'value'), 'stringValue', 'string_value')
  return [ofField, ofAttribute]
    .map((name) => (typeof name === 'string' ? contentEventOf(name, scope) : undefined))
    .find((name) => name !== undefined)
}

/** Returns the first of these members that an object has; undefined for all other values. */
function memberOf(value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined {
  if (!isObject(value)) return undefined
  return keys.map((key) => value[key]).find((member) => member !== undefined && member !== null)
}

function asSpan(record: JsonObject, name: string): JsonObject {
  const { attributes } = record
  const body = memberOf(record, 'body')
  const content = body === undefined ? [] : [{ key: CONTENT_KEY, value: body }]
  return {
    name,
    traceId: memberOf(record, 'traceId', 'trace_id') ?? '',
    spanId: memberOf(record, 'spanId', 'span_id') ?? '',
    startTimeUnixNano: memberOf(record, 'timeUnixNano', 'time_unix_nano') ?? 0,
    endTimeUnixNano: memberOf(record, 'observedTimeUnixNano', 'observed_time_unix_nano') ?? 0,
    attributes: Array.isArray(attributes) ? [...attributes, ...content] : content,
  }
}
