import type { LogRecord } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'

import type { StoredLog } from '../../domain/stored-log.ts'
import { cutToBytes } from '../../domain/text.ts'
import {
  attributesToJson,
  idAttribute,
  toAttributes,
  type Attributes,
} from '../decode/attribute-value.ts'
import type { DecodedLog } from '../decode/decoded-record.ts'
import { toHex } from '../decode/ids.ts'
import { readEventMessages } from '../messages/event-messages.ts'
import { inputIn, outputIn } from '../messages/message.ts'
import { SpanJson } from '../messages/span-json.ts'
import { writeMessages } from '../messages/write-messages.ts'
import { MAX_NAME_BYTES, MAX_TEXT_BYTES } from '../sources/read-span-facts.ts'

/** Some senders name the conversation and its user only in log records. */
const SESSION_KEYS = ['session.id', 'gen_ai.conversation.id', 'conversation.id']
const USER_KEYS = ['user.id']

/**
 * Converts a log record to its stored form. Its messages are read as those of an event of a span. A
 * record without a time gets that of its arrival.
 */
export function toStoredLog({ log, event, removed }: DecodedLog, nowNs: bigint): StoredLog {
  const sentNs = sentTimeOf(log)
  const timeNs = sentNs === 0n ? nowNs : sentNs
  const attributes = toAttributes(log.attributes)
  const events = [{ timeNs, name: event, attributes }]
  const json = new SpanJson()
  // While content isn't captured, the calls of tools are sent without arguments.
  const answers = readEventMessages(events, 'output', json).map((message) => ({
    ...message,
    calls: message.calls.filter((call) => call.arguments !== ''),
  }))
  const asked = readEventMessages(events, 'input', json)
  return {
    traceId: toHex(log.traceId),
    spanId: toHex(log.spanId),
    sentNs,
    timeNs,
    name: event,
    sessionId: idIn(attributes, SESSION_KEYS),
    userId: idIn(attributes, USER_KEYS),
    input: cutToBytes(inputIn(asked), MAX_TEXT_BYTES),
    output: cutToBytes(outputIn(answers), MAX_TEXT_BYTES),
    messages: writeMessages({ text: '', messages: asked }, { text: '', messages: answers }),
    attributes: attributesToJson(attributes, removed),
  }
}

/** Returns the first of these ids that a log record has; empty if it has none. */
function idIn(attributes: Attributes, keys: readonly string[]): string {
  const ids = keys.map((key) => idAttribute(attributes, key))
  return cutToBytes(ids.find((id) => id !== '') ?? '', MAX_NAME_BYTES)
}

/** Returns the time of a log record, or else when it was observed; 0 if it has neither. */
export function sentTimeOf({ timeUnixNano, observedTimeUnixNano }: LogRecord): bigint {
  return timeUnixNano === 0n ? observedTimeUnixNano : timeUnixNano
}
