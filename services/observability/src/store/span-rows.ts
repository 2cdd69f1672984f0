import type { SpanOwner, StoredSpan } from '../domain/span.ts'

/** The columns of a span's row, in order. */
export const SPAN_COLUMNS = [
  'account_id',
  'agent',
  'agent_id',
  'deployment_id',
  'build_id',
  'version',
  'start_time',
  'trace_hex',
  'span_hex',
  'parent_hex',
  'root_rank',
  'duration_ns',
  'first_token_ns',
  'is_error',
  'is_failed_run',
  'kind',
  'type',
  'scope',
  'input_tokens',
  'output_tokens',
  'total_input_tokens',
  'total_output_tokens',
  'cached_tokens',
  'cache_written_tokens',
  'reasoning_tokens',
  'cost_nano_usd',
  'total_cost_nano_usd',
  'cost_source',
  'finish_reason',
  'response_id',
  'session_id',
  'user_id',
  'tool_name',
  'provider',
  'model',
  'name',
  'status_message',
  'input',
  'output',
  'messages',
  'attributes',
  'events',
] as const

/**
 * Yields the spans of one owner as JSONCompactEachRow: a line for each span, an array of the values
 * of SPAN_COLUMNS. `nextVersion` returns a higher number at each call.
 */
export function* spanRows(
  { accountId, agent, agentId, deploymentId, buildId }: Omit<SpanOwner, 'deployedBy'>,
  spans: readonly StoredSpan[],
  nextVersion: () => number,
): Iterable<string> {
  for (const span of spans) {
    const values = [
      accountId,
      agent,
      agentId,
      deploymentId,
      buildId,
      nextVersion(),
      decimalSeconds(span.startTimeNs),
      span.traceId,
      span.spanId,
      span.parentSpanId,
      span.rootRank,
      String(span.durationNs),
      String(span.firstTokenNs),
      span.isError ? 1 : 0,
      span.isFailedRun ? 1 : 0,
      span.kind,
      span.type,
      span.scope,
      String(span.inputTokens),
      String(span.outputTokens),
      String(span.totalInputTokens),
      String(span.totalOutputTokens),
      String(span.cachedTokens),
      String(span.cacheWrittenTokens),
      String(span.reasoningTokens),
      String(span.costNanoUsd),
      String(span.totalCostNanoUsd),
      span.costSource,
      span.finishReason,
      span.responseId,
      span.sessionId,
      span.userId,
      span.toolName,
      span.provider,
      span.model,
      span.name,
      span.statusMessage,
      span.input,
      span.output,
    ]
    yield rowOf(values, [span.messages, span.attributes, span.events])
  }
}

/**
 * Writes a row. The last values are JSON that is stored as text, or empty: ClickHouse takes lists
 * and objects for text columns as they are, so they aren't escaped once more.
 */
export function rowOf(values: readonly (string | number)[], json: readonly string[]): string {
  const start = JSON.stringify(values).slice(0, -1)
  return `${start},${json.map((text) => text || '""').join(',')}]\n`
}

/**
 * Writes a time in nanoseconds since 1970 as seconds. Expects one after 2001, with at least ten
 * digits before the nanoseconds.
 */
export function decimalSeconds(ns: bigint): string {
  const digits = ns.toString()
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}
