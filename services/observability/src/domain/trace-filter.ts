import { Violations } from '@slipway/shared/errors'

import { requireSearchText } from './search-text.ts'

/** Far above any run of an agent. */
const MAX_TOKENS = 1e12
const MAX_COST_USD = 1e6
const NANO_USD = 1e9
const MAX_LATENCY_MS = 1e9
const NS_PER_MS = 1e6

/** Conditions for the traces of a list; undefined ones match all traces. */
export interface TraceFilter {
  /** Whether the run failed. */
  readonly isError?: boolean | undefined
  /** The build of the root span. */
  readonly buildId?: string | undefined
  /** Text in the name, input or output of one of its spans, ignoring case. */
  readonly text?: string | undefined
  readonly sessionId?: string | undefined
  readonly userId?: string | undefined
  /** The model of one of its spans. */
  readonly model?: string | undefined
  /** The tool that one of its spans called. */
  readonly tool?: string | undefined
  /** The lowest and the highest number of input and output tokens. */
  readonly minTokens?: bigint | undefined
  readonly maxTokens?: bigint | undefined
  readonly minCostNanoUsd?: bigint | undefined
  readonly minDurationNs?: bigint | undefined
  /** Whether any of its spans failed. */
  readonly hasErrors?: boolean | undefined
}

/** The filters of a request. Texts are empty, and numbers 0, where it has none. */
export interface RequestedFilter {
  readonly buildId: string
  readonly query: string
  readonly sessionId: string
  readonly userId: string
  readonly model: string
  readonly tool: string
  readonly minTokens: bigint
  readonly maxTokens?: bigint | undefined
  readonly minCostUsd: number
  readonly minLatencyMs: number
  readonly hasErrors?: boolean | undefined
}

/** Checks the filters of a request. Throws InvalidInput for values out of bounds. */
export function readTraceFilter(
  request: RequestedFilter,
  isError: boolean | undefined,
): TraceFilter {
  const { buildId, query, sessionId, userId, model, tool } = request
  const { minTokens, maxTokens, minCostUsd, minLatencyMs } = request
  const texts = { query, session_id: sessionId, user_id: userId, model, tool }
  const violations = new Violations()
  for (const [field, text] of Object.entries(texts)) requireSearchText(violations, field, text)
  violations
    .requireWithin('min_tokens', Number(minTokens), 0, MAX_TOKENS)
    .requireWithin('max_tokens', Number(maxTokens ?? 0n), 0, MAX_TOKENS)
    .requireWithin('min_cost_usd', minCostUsd, 0, MAX_COST_USD)
    .requireWithin('min_latency_ms', minLatencyMs, 0, MAX_LATENCY_MS)
    .throwIfAny()
  return {
    isError,
    buildId: buildId || undefined,
    text: query || undefined,
    sessionId: sessionId || undefined,
    userId: userId || undefined,
    model: model || undefined,
    tool: tool || undefined,
    minTokens: minTokens || undefined,
    maxTokens,
    minCostNanoUsd: BigInt(Math.round(minCostUsd * NANO_USD)) || undefined,
    minDurationNs: BigInt(Math.round(minLatencyMs * NS_PER_MS)) || undefined,
    hasErrors: request.hasErrors,
  }
}
