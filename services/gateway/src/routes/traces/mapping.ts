import type { MessageInitShape } from '@bufbuild/protobuf'
import { CostSource } from '@slipway/proto/slipway/observability/v1/run'
import type { Session } from '@slipway/proto/slipway/observability/v1/session'
import {
  TraceStatus,
  type TimeRange,
  type TimeRangeSchema,
  type TraceEntry,
} from '@slipway/proto/slipway/observability/v1/trace'
import { nameOf } from '@slipway/shared/enum-names'

import { fromTimeText, toTimeText } from '../../http/requests/time.ts'

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

/** Who says what calls cost, in the REST API; empty if it is unknown. */
export function toCostSourceJson({ costSource }: { readonly costSource: CostSource }) {
  const name = nameOf(CostSource, costSource)
  return name === undefined ? {} : { cost_source: name }
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
    ...toCostSourceJson(trace),
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

/** The name of a status in the REST API. */
export function toStatusName(status: TraceStatus): 'ok' | 'error' {
  return nameOf(TraceStatus, status) ?? 'ok'
}
