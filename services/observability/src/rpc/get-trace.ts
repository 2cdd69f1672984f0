import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  SpanKind,
  TraceStatus,
  type SpanEventSchema,
  type SpanSchema,
} from '@slipway/proto/slipway/observability/v1/trace'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { invalidField, NotFound } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { toInt64, toMilliseconds } from '../domain/measures.ts'
import { clampToRetention } from '../domain/trace-range.ts'
import { findRoot, inputOf, outputOf, sortAsTree, type TraceSpan } from '../domain/trace-tree.ts'
import { usageOf } from '../domain/trace-usage.ts'
import { readPageDetails } from '../query/page-details.ts'
import { readTrace } from '../query/read-trace.ts'
import { queryLimits, queryOwner, settledBeforeUs, toTimestamp } from './trace-scope.ts'

/** Handles GetTrace: a trace with its spans, sorted as a tree. */
export function getTrace(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['getTrace'] {
  return async ({ account, name, traceId: requestedId }, call) => {
    const limits = queryLimits(context, call)
    const traceId = requestedId.toLowerCase()
    if (!/^[0-9a-f]{32}$/.test(traceId)) throw invalidField('trace_id', 'must be 32 hex digits')
    const owner = await context.access.requireMember(call, { account, agent: name })
    const reads = queryOwner(call, owner.accountId)
    const stored = await context.store.read(reads, limits, async (reader) => {
      const trace = await readTrace(reader, owner, traceId)
      const root = trace && findRoot(trace.spans, settledBeforeUs(context))
      if (trace === undefined || root === undefined) return undefined
      if (isExpired(context, owner.accountId, root)) return undefined
      const hasFailed = root.isError || trace.hasFailedRun
      const own = {
        input: inputOf(trace.spans, root),
        output: outputOf(trace.spans, root, hasFailed),
      }
      if (!trace.isTruncated) return { ...trace, root, hasFailed, texts: own }
      // Only the store has the texts of the spans that the response omits.
      const { firstStartNs, lastStartNs } = trace
      const page = { roots: [{ traceId, rootSpanId: root.spanId }], firstStartNs, lastStartNs }
      const details = await readPageDetails(reader, owner, page)
      return { ...trace, root, hasFailed, texts: details.get(traceId) ?? own }
    })
    if (stored === undefined) throw new NotFound('trace_not_found', 'trace not found')
    const { root, texts, spans } = stored
    // Only a whole trace shows which tokens it reports twice.
    const usage = spans.length === stored.spanCount ? usageOf(spans) : stored
    return {
      trace: {
        traceId,
        name: root.name,
        status: toStatus({ isError: stored.hasFailed }),
        latencyMs: toMilliseconds(root.durationNs),
        input: texts.input,
        output: texts.output,
        startTime: toTimestamp(root.startTimeNs),
      },
      spans: sortAsTree(spans).map(toSpan),
      spanCount: stored.spanCount,
      errorSpanCount: stored.errorSpanCount,
      isTruncated: stored.isTruncated,
      inputTokens: toInt64(usage.inputTokens),
      outputTokens: toInt64(usage.outputTokens),
    }
  }
}

/** Indexed by OTLP's number of the kind. */
const KINDS = [
  SpanKind.UNSPECIFIED,
  SpanKind.INTERNAL,
  SpanKind.SERVER,
  SpanKind.CLIENT,
  SpanKind.PRODUCER,
  SpanKind.CONSUMER,
]

function isExpired(
  { clock, retention }: ObservabilityContext,
  accountId: string,
  { startTimeNs }: TraceSpan,
): boolean {
  const kept = clampToRetention(
    { startNs: startTimeNs, endNs: startTimeNs },
    { nowMs: clock(), retentionDays: retention.daysOf(accountId) },
  )
  return kept.startNs !== startTimeNs
}

function toSpan(span: TraceSpan): MessageInitShape<typeof SpanSchema> {
  return {
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: KINDS[span.kind] ?? SpanKind.UNSPECIFIED,
    status: toStatus(span),
    statusMessage: span.statusMessage,
    startTime: toTimestamp(span.startTimeNs),
    latencyMs: toMilliseconds(span.durationNs),
    input: span.input,
    output: span.output,
    model: span.model,
    inputTokens: toInt64(span.inputTokens),
    outputTokens: toInt64(span.outputTokens),
    events: span.events === '' ? [] : parseJson<readonly StoredEvent[]>(span.events).map(toEvent),
    buildId: span.buildId,
    ...(span.attributes === '' ? {} : { attributes: parseJson<JsonObject>(span.attributes) }),
  }
}

/** An event, as written by `ingest/read-spans.ts`. */
interface StoredEvent {
  readonly time_ns: string
  readonly name: string
  readonly attributes: JsonObject
}

function toEvent({
  time_ns: timeNs,
  name,
  attributes,
}: StoredEvent): MessageInitShape<typeof SpanEventSchema> {
  return { time: toTimestamp(BigInt(timeNs)), name, attributes }
}

/**
 * Parses JSON that the ingest wrote. Integers of up to 64 bits that a JavaScript number can't hold
 * become strings, to keep all digits. Longer ones were doubles when they were sent.
 */
function parseJson<Value>(text: string): Value {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    /^-?\d{1,19}$/.test(context?.source ?? '')
      ? context?.source
      : value,
  ) as Value
}

function toStatus({ isError }: Pick<TraceSpan, 'isError'>): TraceStatus {
  return isError ? TraceStatus.ERROR : TraceStatus.OK
}
