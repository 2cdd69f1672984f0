import {
  Span_SpanKind,
  Status_StatusCode,
  type Span,
} from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { RootRank, type StoredSpan } from '../../domain/span.ts'
import { cutToBytes } from '../../domain/text.ts'
import type { PriceTable } from '../../prices/price-table.ts'
import {
  attributesToJson,
  textAttribute,
  toAttributes,
  type Attributes,
} from '../decode/attribute-value.ts'
import type { DecodedSpan } from '../decode/decoded-record.ts'
import { isId, SPAN_ID_BYTES, toHex, TRACE_ID_BYTES } from '../decode/ids.ts'
import type { SpanEvent } from '../messages/span-event.ts'
import type { TimeWindow } from '../pipeline/signal.ts'
import { readSpanFacts } from '../sources/read-span-facts.ts'
import { SentSpan } from '../sources/sent-span.ts'
import type { SpanFacts } from '../sources/span-facts.ts'
import { NO_USAGE } from '../sources/usage.ts'

const MAX_NAME_BYTES = 256
const MAX_EVENTS = 32
/** SpanFlags: HAS_IS_REMOTE and IS_REMOTE, both set for a remote parent. */
const REMOTE_PARENT = 0x300

/** Returns why a span can't be stored; undefined if it can. */
export function findProblem(span: Span, { oldestNs, newestNs }: TimeWindow): string | undefined {
  if (!isId(span.traceId, TRACE_ID_BYTES)) return 'trace_id must be 16 bytes, not all zero'
  if (!isId(span.spanId, SPAN_ID_BYTES)) return 'span_id must be 8 bytes, not all zero'
  const startNs = startOf(span)
  if (startNs < oldestNs) return 'the span is older than the retention period'
  if (startNs > newestNs) return 'the span starts in the future'
  return undefined
}

/** When a span started; if it doesn't say it, when it ended. */
function startOf({ startTimeUnixNano, endTimeUnixNano }: Span): bigint {
  return startTimeUnixNano === 0n ? endTimeUnixNano : startTimeUnixNano
}

/** How long a span took; 0 if it ends before it starts, or in the future. */
function durationOf(span: Span, newestNs: bigint): bigint {
  const { endTimeUnixNano: endNs } = span
  const startNs = startOf(span)
  return endNs < startNs || endNs > newestNs ? 0n : endNs - startNs
}

/** Returns the parent of a span; empty if that isn't a valid id, or is the span itself. */
function parentOf({ parentSpanId, spanId }: Span): string {
  const isParent = isId(parentSpanId, SPAN_ID_BYTES) && Buffer.compare(parentSpanId, spanId) !== 0
  return isParent ? toHex(parentSpanId) : ''
}

/**
 * Converts a span to its stored form; a wrong time or parent costs only itself. Marks its parent
 * remote or unknown; `resolveSpans` marks known parents. Ignores the span's own claims about its
 * owner. If the span reports no cost, works it out with the prices.
 */
export function toStoredSpan(
  { span, scope, removed }: DecodedSpan,
  prices: Pick<PriceTable, 'costOf' | 'sourceOf'>,
  { newestNs }: Pick<TimeWindow, 'newestNs'>,
): StoredSpan {
  const attributes = toAttributes(span.attributes)
  const events = span.events.map((event) => ({
    timeNs: event.timeUnixNano,
    name: event.name,
    attributes: toAttributes(event.attributes),
  }))
  const { name, status } = span
  const startTimeNs = startOf(span)
  const sent = new SentSpan({
    scope,
    name,
    startTimeNs,
    attributes,
    events,
    statusCode: status?.code ?? Status_StatusCode.UNSET,
    statusMessage: status?.message ?? '',
  })
  const facts = readSpanFacts(sent)
  const parentSpanId = parentOf(span)
  const { usage, provider, model } = facts
  const { inputTokens, outputTokens, cachedTokens, cacheWrittenTokens } = usage
  const cost =
    facts.costNanoUsd ||
    prices.costOf({
      provider,
      model,
      atNs: startTimeNs,
      inputTokens,
      outputTokens,
      cachedTokens,
      cacheWrittenTokens,
    })
  const costSource = cost === 0n ? '' : facts.costNanoUsd > 0n ? 'sender' : prices.sourceOf(facts)
  const [calls, totals] = usage.of === 'call' ? [usage, NO_USAGE] : [NO_USAGE, usage]
  const droppedEvents = removed.events + Math.max(0, events.length - MAX_EVENTS)
  return {
    traceId: toHex(span.traceId),
    spanId: toHex(span.spanId),
    parentSpanId,
    rootRank: rankOf(span, parentSpanId, facts),
    startTimeNs,
    durationNs: durationOf(span, newestNs),
    firstTokenNs: facts.firstTokenNs,
    name: cutToBytes(name, MAX_NAME_BYTES),
    kind: span.kind >= 0 && span.kind <= 5 ? span.kind : 0,
    isError: facts.isError,
    isFailedRun: facts.isError && (facts.type === 'agent' || isQueued(span, attributes)),
    statusMessage: facts.statusMessage,
    type: facts.type,
    scope,
    input: facts.input,
    output: facts.output,
    messages: facts.messages,
    toolName: facts.toolName,
    provider,
    model,
    responseId: facts.responseId,
    sessionId: facts.sessionId,
    userId: facts.userId,
    inputTokens: calls.inputTokens,
    outputTokens: calls.outputTokens,
    totalInputTokens: totals.inputTokens,
    totalOutputTokens: totals.outputTokens,
    cachedTokens: usage.cachedTokens,
    cacheWrittenTokens: usage.cacheWrittenTokens,
    reasoningTokens: usage.reasoningTokens,
    costNanoUsd: usage.of === 'call' ? cost : 0n,
    totalCostNanoUsd: usage.of === 'call' ? 0n : cost,
    costSource,
    finishReason: facts.finishReason,
    attributes: attributesToJson(attributes, {
      attributes: removed.attributes,
      events: droppedEvents,
    }),
    events: eventsToJson(events.slice(0, MAX_EVENTS)),
  }
}

/**
 * Whether a span is work that a queue has handed over: its sender can't have seen it fail. Each
 * delivery is its own span, so one that fails counts even if a later one succeeds. A consumer that
 * asks for messages, and gets none or an error, has done no work.
 */
function isQueued({ kind }: Span, attributes: Attributes): boolean {
  return kind === Span_SpanKind.CONSUMER && !OPERATIONS.some((key) => asks(attributes, key))
}

/** The attributes with a span's operation on a queue: that of OpenTelemetry, and the one before. */
const OPERATIONS = ['messaging.operation.type', 'messaging.operation']

function asks(attributes: Attributes, key: string): boolean {
  return ['receive', 'poll'].includes(textAttribute(attributes, key))
}

function rankOf(
  span: Span,
  parentSpanId: string,
  { isNoRun }: Pick<SpanFacts, 'isNoRun'>,
): RootRank {
  // Lists then find no root in its trace.
  if (isNoRun) return RootRank.KnownParent
  if (parentSpanId === '') return RootRank.NoParent
  return (span.flags & REMOTE_PARENT) === REMOTE_PARENT
    ? RootRank.RemoteParent
    : RootRank.UnknownParent
}

/** Writes events as `StoredEvent`s. */
function eventsToJson(events: readonly SpanEvent[]): string {
  if (events.length === 0) return '[]'
  const objects = events.map(
    ({ timeNs, name, attributes }) =>
      `{"time_ns":"${timeNs}","name":${JSON.stringify(cutToBytes(name, MAX_NAME_BYTES))},` +
      `"attributes":${attributesToJson(attributes)}}`,
  )
  return `[${objects.join(',')}]`
}
