import { createAncestorTest, findCycles } from './ancestors.ts'
import { byStart, type TraceSpan } from './trace-tree.ts'

/** What the calls of a trace used. */
export interface TraceUsage {
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  /** Part of the input tokens, and of the output tokens. */
  readonly cachedTokens: bigint
  readonly reasoningTokens: bigint
  /** In billionths of a US dollar; 0 if no cost is known. */
  readonly costNanoUsd: bigint
}

/** The fields of a span that decide what is counted. */
export type UsageSpan = Pick<
  TraceSpan,
  | 'spanId'
  | 'parentSpanId'
  | 'startTimeNs'
  | 'type'
  | 'responseKey'
  | 'inputTokens'
  | 'outputTokens'
  | 'totalInputTokens'
  | 'totalOutputTokens'
  | 'cachedTokens'
  | 'reasoningTokens'
  | 'costNanoUsd'
  | 'totalCostNanoUsd'
>

/**
 * Counts the tokens of a trace, and their cost, once: those of the calls that are not inside of
 * another call, and of calls with the same response only the first. If the trace has no calls,
 * those of the outermost spans that report totals.
 */
export function usageOf(spans: readonly UsageSpan[]): TraceUsage {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const parentOf = (id: string) => {
    const parent = byId.get(id)?.parentSpanId ?? ''
    return byId.has(parent) ? parent : undefined
  }
  const cycles = findCycles(byId.keys(), parentOf)
  const isInCall = ({ spanId, parentSpanId }: UsageSpan) => {
    const parent = byId.get(parentSpanId)
    return parent !== undefined && !cycles.has(spanId) && (isCall(parent) || isRepeated(parent))
  }
  const calls = spans.filter((span) => isCall(span) && !isInCall(span)).toSorted(byStart)
  if (calls.length > 0) {
    const responses = new Set<string>()
    return addUp(calls.filter(({ responseKey }) => isFirst(responseKey, responses)))
  }
  const isInTotal = createAncestorTest(parentOf, (id) => isTotal(byId.get(id)))
  return addUp(
    spans.filter((span) => isTotal(span) && (cycles.has(span.spanId) || !isInTotal(span.spanId))),
  )
}

/** Whether a span reports the tokens of a call to a model. */
export function isCall({
  inputTokens,
  outputTokens,
}: Pick<TraceSpan, 'inputTokens' | 'outputTokens'>): boolean {
  return inputTokens > 0n || outputTokens > 0n
}

/** Whether a span is a call that was stored as a total, because it repeats another one. */
function isRepeated(span: UsageSpan): boolean {
  return isTotal(span) && (span.type === 'model' || span.type === 'embedding')
}

function isTotal(span: UsageSpan | undefined): boolean {
  return span !== undefined && (span.totalInputTokens > 0n || span.totalOutputTokens > 0n)
}

/** Whether a response has not been seen before. Calls without an id are all different. */
function isFirst(key: string, seen: Set<string>): boolean {
  if (key === NO_RESPONSE) return true
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

const NO_RESPONSE = '0'

function addUp(spans: readonly UsageSpan[]): TraceUsage {
  const total = (amountOf: (span: UsageSpan) => bigint) =>
    spans.reduce((sum, span) => sum + amountOf(span), 0n)
  return {
    inputTokens: total((span) => span.inputTokens || span.totalInputTokens),
    outputTokens: total((span) => span.outputTokens || span.totalOutputTokens),
    cachedTokens: total((span) => span.cachedTokens),
    reasoningTokens: total((span) => span.reasoningTokens),
    costNanoUsd: total((span) => span.costNanoUsd || span.totalCostNanoUsd),
  }
}
