import { randomBytes } from 'node:crypto'

import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import {
  ExportTraceServiceRequestSchema,
  ExportTraceServiceResponseSchema,
  type ExportTraceServiceResponse,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import type { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import type { AnyValueSchema } from '@slipway/proto/opentelemetry/proto/common/v1/common'

/** A span in a short form. Ids are hexadecimal, times in milliseconds since 1970. */
export interface TestSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name?: string
  readonly startMs: number
  readonly durationMs?: number
  readonly isError?: boolean
  readonly flags?: number
  readonly attributes?: Readonly<Record<string, string | number | bigint | readonly number[]>>
  /** The message of an exception that it has recorded. */
  readonly exception?: string
}

/** Returns a random trace id. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

/** Returns a random span id. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** Converts a span to OTLP's message. */
export function toOtlpSpan(span: TestSpan): MessageInitShape<typeof SpanSchema> {
  const startTimeUnixNano = BigInt(Math.round(span.startMs * 1000)) * 1000n
  return {
    traceId: Buffer.from(span.traceId, 'hex'),
    spanId: Buffer.from(span.spanId, 'hex'),
    parentSpanId: Buffer.from(span.parentSpanId ?? '', 'hex'),
    name: span.name ?? 'work',
    kind: 1,
    startTimeUnixNano,
    endTimeUnixNano: startTimeUnixNano + BigInt(Math.round((span.durationMs ?? 1) * 1e6)),
    flags: span.flags ?? 0,
    status: { code: span.isError ? 2 : 0 },
    attributes: Object.entries(span.attributes ?? {}).map(([key, value]) => ({
      key,
      value: toAnyValue(value),
    })),
    events: span.exception === undefined ? [] : [exceptionEvent(span.exception, startTimeUnixNano)],
  }
}

function exceptionEvent(message: string, timeUnixNano: bigint) {
  const attributes = [{ key: 'exception.message', value: toAnyValue(message) }]
  return { name: 'exception', timeUnixNano, attributes }
}

function toAnyValue(
  value: string | number | bigint | readonly number[],
): MessageInitShape<typeof AnyValueSchema> {
  if (typeof value === 'object')
    return { value: { case: 'arrayValue', value: { values: value.map(toAnyValue) } } }
  if (typeof value === 'string') return { value: { case: 'stringValue', value } }
  if (typeof value === 'bigint' || Number.isSafeInteger(value))
    return { value: { case: 'intValue', value: BigInt(value) } }
  return { value: { case: 'doubleValue', value } }
}

/** Encodes a request in protobuf. */
export function encodeRequest(
  spans: readonly MessageInitShape<typeof SpanSchema>[],
): Uint8Array<ArrayBuffer> {
  return toBinary(
    ExportTraceServiceRequestSchema,
    create(ExportTraceServiceRequestSchema, {
      resourceSpans: [{ scopeSpans: [{ spans: [...spans] }] }],
    }),
  )
}

/** Sends a body to the ingest, as protobuf unless the headers say otherwise. */
export async function post(
  url: string,
  token: string,
  body: Uint8Array<ArrayBuffer> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      authorization: `Bearer ${token}`,
      ...headers,
    },
    body,
  })
}

/** Sends spans in protobuf. Throws unless the response is 200. */
export async function sendSpans(
  url: string,
  token: string,
  spans: readonly TestSpan[],
): Promise<ExportTraceServiceResponse> {
  const response = await post(url, token, encodeRequest(spans.map(toOtlpSpan)))
  const body = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`the ingest returned ${response.status}`)
  return fromBinary(ExportTraceServiceResponseSchema, body)
}
