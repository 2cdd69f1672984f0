import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  AnyValueSchema,
  KeyValueSchema,
} from '@slipway/proto/opentelemetry/proto/common/v1/common'
import {
  SpanFlags,
  type Span_SpanKind,
  Status_StatusCode,
  type ResourceSpansSchema,
  type SpanSchema,
} from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { RootRank } from '../domain/span.ts'
import type { StoredEvent } from '../domain/stored-event.ts'
import type { TraceSpan } from '../domain/trace-tree.ts'

/** The spans of a trace, and whose they are. */
export interface ExportedTrace {
  readonly agent: string
  /** 32 hex digits. */
  readonly traceId: string
  readonly spans: readonly TraceSpan[]
}

/** Converts spans as they are stored to OpenTelemetry's, by build and scope. */
export function toResourceSpans({
  agent,
  traceId,
  spans,
}: ExportedTrace): MessageInitShape<typeof ResourceSpansSchema>[] {
  return [...Map.groupBy(spans, ({ buildId }) => buildId)].map(([buildId, ofBuild]) => ({
    resource: { attributes: toKeyValues({ 'service.name': agent, 'slipway.build_id': buildId }) },
    scopeSpans: [...Map.groupBy(ofBuild, ({ scope }) => scope)].map(([name, ofScope]) => ({
      scope: { name },
      spans: ofScope.map((span) => toOtlpSpan(span, traceId)),
    })),
  }))
}

const NO_PARENT = /^0*$/
const REMOTE_PARENT = SpanFlags.CONTEXT_HAS_IS_REMOTE_MASK | SpanFlags.CONTEXT_IS_REMOTE_MASK

function toOtlpSpan(span: TraceSpan, traceId: string): MessageInitShape<typeof SpanSchema> {
  const attributes = span.attributes === '' ? {} : (parseExactly(span.attributes) as object)
  const events = span.events === '' ? [] : (parseExactly(span.events) as readonly StoredEvent[])
  const { parentSpanId } = span
  return {
    traceId: Buffer.from(traceId, 'hex'),
    spanId: Buffer.from(span.spanId, 'hex'),
    parentSpanId: Buffer.from(NO_PARENT.test(parentSpanId) ? '' : parentSpanId, 'hex'),
    flags: span.rootRank === RootRank.RemoteParent ? REMOTE_PARENT : 0,
    name: span.name,
    kind: span.kind as Span_SpanKind,
    startTimeUnixNano: span.startTimeNs,
    endTimeUnixNano: span.startTimeNs + span.durationNs,
    attributes: toKeyValues(attributes),
    events: events.map(({ time_ns: timeNs, name, attributes: own }) => ({
      timeUnixNano: BigInt(timeNs),
      name,
      attributes: toKeyValues(own),
    })),
    status: { code: statusOf(span, attributes, events), message: span.statusMessage },
  }
}

/** A span that succeeded has a status only if it could be read as a failure. */
function statusOf(
  { isError }: TraceSpan,
  attributes: object,
  events: readonly StoredEvent[],
): Status_StatusCode {
  if (isError) return Status_StatusCode.ERROR
  const looksFailed = 'error.type' in attributes || events.some(({ name }) => name === 'exception')
  return looksFailed ? Status_StatusCode.OK : Status_StatusCode.UNSET
}

/** Parses JSON that the ingest wrote. Integers of up to 64 bits become bigints. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? ''
    if (typeof value !== 'number' || !/^-?\d{1,19}$/.test(source)) return value
    const integer = BigInt(source)
    return BigInt.asIntN(64, integer) === integer ? integer : value
  })
}

function toKeyValues(record: object): MessageInitShape<typeof KeyValueSchema>[] {
  return Object.entries(record).map(([key, value]) => ({ key, value: toAnyValue(value) }))
}

function toAnyValue(value: unknown): MessageInitShape<typeof AnyValueSchema> {
  if (typeof value === 'string') return { value: { case: 'stringValue', value } }
  if (typeof value === 'bigint') return { value: { case: 'intValue', value } }
  if (typeof value === 'number') return { value: { case: 'doubleValue', value } }
  if (typeof value === 'boolean') return { value: { case: 'boolValue', value } }
  if (Array.isArray(value))
    return { value: { case: 'arrayValue', value: { values: value.map(toAnyValue) } } }
  if (typeof value === 'object' && value !== null)
    return { value: { case: 'kvlistValue', value: { values: toKeyValues(value) } } }
  return {}
}
