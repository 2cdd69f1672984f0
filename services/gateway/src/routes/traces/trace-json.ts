import type { GetTraceResponse } from '@slipway/proto/slipway/observability/v1/trace_service'

import { HttpProblem } from '../../http/problem.ts'
import { toCostSourceJson, toTraceJson } from './mapping.ts'
import { filled, known, toSpanTrees } from './span-json.ts'

/** A trace with its spans in the REST API. */
export function toTraceAnswer(stored: GetTraceResponse): object {
  const { trace } = stored
  if (trace === undefined) throw new HttpProblem(404, 'trace_not_found', 'trace not found')
  return {
    ...toTraceJson(trace),
    span_count: stored.spanCount,
    error_span_count: stored.errorSpanCount,
    truncated: stored.isTruncated,
    input_tokens: stored.inputTokens,
    output_tokens: stored.outputTokens,
    cached_tokens: stored.cachedTokens,
    reasoning_tokens: stored.reasoningTokens,
    ...known('cost_usd', stored.costUsd),
    ...toCostSourceJson(stored),
    models: stored.models,
    ...filled({ session_id: stored.sessionId, user_id: stored.userId }),
    spans: toSpanTrees(stored.spans),
  }
}
