import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Session } from '@slipway/proto/slipway/observability/v1/session'
import {
  SpanKind,
  TraceStatus,
  type Span,
  type TimeRange,
  type TimeRangeSchema,
  type TraceEntry,
} from '@slipway/proto/slipway/observability/v1/trace'

import { fromTimeText, toTimeText } from '../../http/time.ts'

const KIND_NAMES: Readonly<Record<number, string>> = {
  [SpanKind.UNSPECIFIED]: 'unspecified',
  [SpanKind.INTERNAL]: 'internal',
  [SpanKind.SERVER]: 'server',
  [SpanKind.CLIENT]: 'client',
  [SpanKind.PRODUCER]: 'producer',
  [SpanKind.CONSUMER]: 'consumer',
}

/** The time range of a query. The service has defaults for a missing start or end. */
export function toTimeRange(query: {
  readonly start_time?: string
  readonly end_time?: string
}): MessageInitShape<typeof TimeRangeSchema> {
  const start = fromTimeText('start_time', query.start_time)
  const end = fromTimeText('end_time', query.end_time)
  return { ...(start && { start }), ...(end && { end }) }
}

/** The range that the service used, in the REST API. */
export function toTimeRangeJson(range: TimeRange | undefined) {
  return { start: toTimeText(range?.start), end: toTimeText(range?.end) }
}

/** A trace of the REST API, without its spans. */
export function toTraceJson(trace: TraceEntry) {
  return {
    trace_id: trace.traceId,
    name: trace.name,
    status: toStatusName(trace.status),
    latency_ms: trace.latencyMs,
    input: trace.input,
    output: trace.output,
    timestamp: toTimeText(trace.startTime),
  }
}

/** A trace in a list of the REST API. */
export function toTraceEntryJson(trace: TraceEntry) {
  return {
    ...toTraceJson(trace),
    ...(trace.sessionId === '' ? {} : { session_id: trace.sessionId }),
    ...(trace.userId === '' ? {} : { user_id: trace.userId }),
    models: trace.models,
    input_tokens: trace.inputTokens,
    output_tokens: trace.outputTokens,
    cached_tokens: trace.cachedTokens,
    reasoning_tokens: trace.reasoningTokens,
    ...(trace.costUsd === 0 ? {} : { cost_usd: trace.costUsd }),
    span_count: trace.spanCount,
    error_span_count: trace.errorSpanCount,
    build_id: trace.buildId,
  }
}

/** A session of the REST API, without its turns. */
export function toSessionJson(session: Session) {
  return {
    session_id: session.sessionId,
    first_timestamp: toTimeText(session.firstStartTime),
    last_timestamp: toTimeText(session.lastStartTime),
    turn_count: session.turnCount,
    error_count: session.errorCount,
    input_tokens: session.inputTokens,
    output_tokens: session.outputTokens,
    ...(session.costUsd === 0 ? {} : { cost_usd: session.costUsd }),
    ...(session.userId === '' ? {} : { user_id: session.userId }),
    input: session.input,
    output: session.output,
  }
}

/** A span with its child spans. */
export interface SpanTree extends Readonly<Record<string, unknown>> {
  readonly children: SpanTree[]
}

/** Builds the span trees and returns the roots. Each span must come after its parent. */
export function toSpanTrees(spans: readonly Span[]): SpanTree[] {
  const roots: SpanTree[] = []
  const byId = new Map<string, SpanTree>()
  for (const span of spans) {
    const tree = toSpanJson(span)
    byId.set(span.spanId, tree)
    const siblings = byId.get(span.parentSpanId)?.children ?? roots
    siblings.push(tree)
  }
  return roots
}

function toSpanJson(span: Span): SpanTree {
  return {
    span_id: span.spanId,
    name: span.name,
    kind: KIND_NAMES[span.kind] ?? 'unspecified',
    status: toStatusName(span.status),
    ...(span.statusMessage === '' ? {} : { status_message: span.statusMessage }),
    timestamp: toTimeText(span.startTime),
    latency_ms: span.latencyMs,
    input: span.input,
    output: span.output,
    ...(span.model === '' ? {} : { model: span.model }),
    input_tokens: span.inputTokens,
    output_tokens: span.outputTokens,
    build_id: span.buildId,
    ...(span.attributes === undefined ? {} : { attributes: span.attributes }),
    events: span.events.map(({ time, name, attributes = {} }) => ({
      timestamp: toTimeText(time),
      name,
      attributes,
    })),
    children: [],
  }
}

function toStatusName(status: TraceStatus): 'ok' | 'error' {
  return status === TraceStatus.ERROR ? 'error' : 'ok'
}
