import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import {
  CostSource,
  MessageRole,
  SpanType,
  type MessageSchema,
} from '@slipway/proto/slipway/observability/v1/run'
import {
  SpanKind,
  TraceStatus,
  type SpanEventSchema,
  type SpanSchema,
} from '@slipway/proto/slipway/observability/v1/trace'
import { findValue } from '@slipway/shared/enum-names'

import { toDollars, toInt64, toMilliseconds } from '../domain/measures.ts'
import { messagesOf, type SpanMessage } from '../domain/span-messages.ts'
import type { StoredEvent } from '../domain/stored-event.ts'
import type { TraceSpan } from '../domain/trace-tree.ts'
import { toTimestamp } from './trace-scope.ts'

/** Indexed by OTLP's number of the kind. */
const KINDS = [
  SpanKind.UNSPECIFIED,
  SpanKind.INTERNAL,
  SpanKind.SERVER,
  SpanKind.CLIENT,
  SpanKind.PRODUCER,
  SpanKind.CONSUMER,
]

/** Converts a span to its message. */
export function toSpan(span: TraceSpan): MessageInitShape<typeof SpanSchema> {
  const messages = messagesOf(span)
  return {
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: KINDS[span.kind] ?? SpanKind.UNSPECIFIED,
    type: findValue(SpanType, span.type),
    status: toStatus(span),
    statusMessage: span.statusMessage,
    startTime: toTimestamp(span.startTimeNs),
    latencyMs: toMilliseconds(span.durationNs),
    input: span.input,
    output: span.output,
    model: span.model,
    provider: span.provider,
    scope: span.scope,
    toolName: span.toolName,
    sessionId: span.sessionId,
    userId: span.userId,
    inputTokens: toInt64(span.inputTokens),
    outputTokens: toInt64(span.outputTokens),
    cachedTokens: toInt64(span.cachedTokens),
    cacheWrittenTokens: toInt64(span.cacheWrittenTokens),
    reasoningTokens: toInt64(span.reasoningTokens),
    totalInputTokens: toInt64(span.totalInputTokens),
    totalOutputTokens: toInt64(span.totalOutputTokens),
    finishReason: span.finishReason,
    ...(span.firstTokenNs > 0n && { timeToFirstTokenMs: toMilliseconds(span.firstTokenNs) }),
    ...(span.costNanoUsd > 0n && { costUsd: toDollars(span.costNanoUsd) }),
    ...(span.totalCostNanoUsd > 0n && { totalCostUsd: toDollars(span.totalCostNanoUsd) }),
    costSource: toCostSource(span),
    inputMessages: messages.input.map(toMessage),
    outputMessages: messages.output.map(toMessage),
    omittedInputMessages: messages.omittedInput,
    omittedOutputMessages: messages.omittedOutput,
    events: span.events === '' ? [] : parseJson<readonly StoredEvent[]>(span.events).map(toEvent),
    buildId: span.buildId,
    ...(span.attributes === '' ? {} : { attributes: parseJson<JsonObject>(span.attributes) }),
  }
}

function toMessage(message: SpanMessage): MessageInitShape<typeof MessageSchema> {
  return {
    role: findValue(MessageRole, message.role),
    text: message.text ?? '',
    toolCalls: [...(message.calls ?? [])],
    toolResults: (message.results ?? []).map((text, index) => ({
      text,
      callId: message.result_ids?.[index] ?? '',
    })),
    isTruncated: message.is_truncated ?? false,
  }
}

function toEvent({
  time_ns: timeNs,
  name,
  attributes,
}: StoredEvent): MessageInitShape<typeof SpanEventSchema> {
  return { time: toTimestamp(BigInt(timeNs)), name, attributes: attributes as JsonObject }
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

/** Who says what a span or a trace costs. */
export function toCostSource({ costSource }: { readonly costSource: string }): CostSource {
  return findValue(CostSource, costSource)
}

/** The status of a span or a trace. */
export function toStatus({ isError }: Pick<TraceSpan, 'isError'>): TraceStatus {
  return isError ? TraceStatus.ERROR : TraceStatus.OK
}
