import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  KeyValueSchema,
  type AnyValueSchema,
} from '@slipway/proto/opentelemetry/proto/common/v1/common'
import { Status_StatusCode } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { toAttributes } from '../../src/ingest/decode/attribute-value.ts'
import { SentSpan } from '../../src/ingest/sources/sent-span.ts'

/** A value of an attribute: a list or an object is structured. */
export type TestValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly TestValue[]
  | { readonly [key: string]: TestValue }

/** A span as a sender sends it. */
export interface TestSentSpan {
  readonly scope?: string
  readonly name?: string
  readonly status?: 'unset' | 'ok' | 'error'
  readonly statusMessage?: string
  readonly attributes?: Readonly<Record<string, TestValue>>
  readonly events?: readonly {
    readonly name: string
    /** Milliseconds after the start of the span. */
    readonly afterMs?: number
    readonly attributes: Readonly<Record<string, TestValue>>
  }[]
}

/** Messages with a question, in the format of model APIs. */
export const ASKED = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Where is it?' },
]
/** Messages with an answer, in the format of the conventions. */
export const ANSWERED = [{ role: 'assistant', parts: [{ type: 'text', content: 'There.' }] }]

const STATUS_CODES = {
  unset: Status_StatusCode.UNSET,
  ok: Status_StatusCode.OK,
  error: Status_StatusCode.ERROR,
}

/** When the spans of tests start, in milliseconds since 1970. */
export const START_MS = Date.parse('2026-11-20T09:10:00Z')

/** Creates a span as sources read it. */
export function sentSpan(span: TestSentSpan): SentSpan {
  return new SentSpan({
    scope: span.scope ?? '',
    name: span.name ?? '',
    startTimeNs: toNs(START_MS),
    statusCode: STATUS_CODES[span.status ?? 'unset'],
    statusMessage: span.statusMessage ?? '',
    attributes: attributesOf(span.attributes ?? {}),
    events: (span.events ?? []).map(({ name, afterMs = 0, attributes }) => ({
      timeNs: toNs(START_MS + afterMs),
      name,
      attributes: attributesOf(attributes),
    })),
  })
}

function toNs(ms: number): bigint {
  return BigInt(ms) * 1_000_000n
}

function attributesOf(values: Readonly<Record<string, TestValue>>) {
  return toAttributes(
    Object.entries(values).map(([key, value]) =>
      create(KeyValueSchema, { key, value: toAnyValue(value) }),
    ),
  )
}

/** Converts a value to OTLP's message; whole numbers that are bigints become integers. */
export function toAnyValue(value: TestValue): MessageInitShape<typeof AnyValueSchema> {
  if (value === null) return {}
  if (typeof value === 'string') return { value: { case: 'stringValue', value } }
  if (typeof value === 'boolean') return { value: { case: 'boolValue', value } }
  if (typeof value === 'bigint') return { value: { case: 'intValue', value } }
  if (typeof value === 'number') return { value: { case: 'doubleValue', value } }
  if (Array.isArray(value))
    return { value: { case: 'arrayValue', value: { values: value.map(toAnyValue) } } }
  const values = Object.entries(value).map(([key, each]) => ({ key, value: toAnyValue(each) }))
  return { value: { case: 'kvlistValue', value: { values } } }
}
