import { MessageRole, SpanType, type Message } from '@slipway/proto/slipway/observability/v1/run'
import { SpanKind, type Span } from '@slipway/proto/slipway/observability/v1/trace'
import { nameOf } from '@slipway/shared/enum-names'

import { toTimeText } from '../../http/requests/time.ts'
import { toCostSourceJson, toStatusName } from './mapping.ts'

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
    kind: nameOf(SpanKind, span.kind) ?? 'unspecified',
    ...filled({ type: nameOf(SpanType, span.type) ?? '' }),
    status: toStatusName(span.status),
    ...filled({ status_message: span.statusMessage }),
    timestamp: toTimeText(span.startTime),
    latency_ms: span.latencyMs,
    input: span.input,
    output: span.output,
    ...filled({
      model: span.model,
      provider: span.provider,
      tool_name: span.toolName,
      finish_reason: span.finishReason,
      session_id: span.sessionId,
      user_id: span.userId,
      scope: span.scope,
    }),
    input_tokens: span.inputTokens,
    output_tokens: span.outputTokens,
    cached_tokens: span.cachedTokens,
    cache_written_tokens: span.cacheWrittenTokens,
    reasoning_tokens: span.reasoningTokens,
    total_input_tokens: span.totalInputTokens,
    total_output_tokens: span.totalOutputTokens,
    ...known('time_to_first_token_ms', span.timeToFirstTokenMs),
    ...known('cost_usd', span.costUsd),
    ...known('total_cost_usd', span.totalCostUsd),
    ...toCostSourceJson(span),
    input_messages: span.inputMessages.map(toMessageJson),
    output_messages: span.outputMessages.map(toMessageJson),
    omitted_input_messages: span.omittedInputMessages,
    omitted_output_messages: span.omittedOutputMessages,
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

function toMessageJson({ role, text, toolCalls, toolResults, isTruncated }: Message) {
  return {
    role: nameOf(MessageRole, role) ?? 'user',
    text,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        ...filled({ id: call.id }),
        name: call.name,
        arguments: call.arguments,
      })),
    }),
    ...(toolResults.length > 0 && {
      tool_results: toolResults.map((result) => ({
        ...filled({ call_id: result.callId }),
        text: result.text,
      })),
    }),
    ...(isTruncated && { truncated: true }),
  }
}

/** Leaves out empty texts. */
export function filled(texts: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

/** A member that is left out if its value is unknown. */
export function known(name: string, value: number | undefined) {
  return value === undefined ? {} : { [name]: value }
}
