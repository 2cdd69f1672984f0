import type { MessageInitShape } from '@bufbuild/protobuf'
import { TraceStatus, type TraceEntrySchema } from '@slipway/proto/slipway/observability/v1/trace'

import { toDollars, toInt64, toMilliseconds } from '../domain/measures.ts'
import type { ListedTrace, TraceEntry } from '../query/list-traces.ts'
import { toCostSource } from './to-span.ts'
import { toTimestamp } from './trace-scope.ts'

/** Converts a trace of a list to its message with the id and the start time only. */
export function toIdEntry({
  traceId,
  startTimeNs,
}: Pick<TraceEntry, 'traceId' | 'startTimeNs'>): MessageInitShape<typeof TraceEntrySchema> {
  return { traceId, startTime: toTimestamp(startTimeNs) }
}

/** Converts a trace of a list to its message. */
export function toTraceEntry(trace: ListedTrace): MessageInitShape<typeof TraceEntrySchema> {
  return {
    traceId: trace.traceId,
    name: trace.name,
    status: trace.isError ? TraceStatus.ERROR : TraceStatus.OK,
    latencyMs: toMilliseconds(trace.durationNs),
    input: trace.input,
    output: trace.output,
    startTime: toTimestamp(trace.startTimeNs),
    sessionId: trace.sessionId,
    userId: trace.userId,
    models: [...trace.models],
    inputTokens: toInt64(trace.usage.inputTokens),
    outputTokens: toInt64(trace.usage.outputTokens),
    cachedTokens: toInt64(trace.usage.cachedTokens),
    reasoningTokens: toInt64(trace.usage.reasoningTokens),
    costUsd: toDollars(trace.usage.costNanoUsd),
    costSource: toCostSource(trace),
    spanCount: trace.spanCount,
    errorSpanCount: trace.errorSpanCount,
    buildId: trace.buildId,
  }
}
