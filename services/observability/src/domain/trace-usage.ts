import { createAncestorTest, findCycles } from './ancestors.ts'
import { firstReports } from './same-calls.ts'
import type { TraceSpan } from './trace-tree.ts'

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
  | 'durationNs'
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

/** What is counted: the amount that a call reports, and the one of others that a span repeats. */
interface Measure {
  readonly own: (span: UsageSpan) => boolean
  readonly total: (span: UsageSpan) => boolean
}

const TOKENS: Measure = {
  own: isCall,
  total: ({ totalInputTokens, totalOutputTokens }) =>
    totalInputTokens > 0n || totalOutputTokens > 0n,
}
/** Some senders report costs without tokens, or the cost of only some calls. */
const COST: Measure = {
  own: ({ costNanoUsd }) => costNanoUsd > 0n,
  total: ({ totalCostNanoUsd }) => totalCostNanoUsd > 0n,
}

/**
 * Counts the tokens of a trace, and their cost, once: those of the calls that are not inside of
 * another call, and of several reports of one call only the first. If the trace has no calls,
 * those of the outermost spans that report totals. Tokens and costs are counted by themselves: a
 * call that doesn't report one of them doesn't hide that of another.
 */
export function usageOf(spans: readonly UsageSpan[]): TraceUsage {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const parentOf = (id: string) => {
    const parent = byId.get(id)?.parentSpanId ?? ''
    return byId.has(parent) ? parent : undefined
  }
  const cycles = findCycles(byId.keys(), parentOf)
  const counted = ({ own, total }: Measure): readonly UsageSpan[] => {
    const isInCall = ({ spanId, parentSpanId }: UsageSpan) => {
      const parent = byId.get(parentSpanId)
      if (parent === undefined || cycles.has(spanId)) return false
      return own(parent) || (total(parent) && isModel(parent))
    }
    const calls = spans.filter((span) => own(span) && !isInCall(span))
    if (calls.length > 0) return firstReports(calls)
    const isInTotal = createAncestorTest(parentOf, (id) => {
      const span = byId.get(id)
      return span !== undefined && total(span)
    })
    return spans.filter(
      (span) => total(span) && (cycles.has(span.spanId) || !isInTotal(span.spanId)),
    )
  }
  const withTokens = counted(TOKENS)
  return {
    inputTokens: sum(withTokens, (span) => span.inputTokens || span.totalInputTokens),
    outputTokens: sum(withTokens, (span) => span.outputTokens || span.totalOutputTokens),
    cachedTokens: sum(withTokens, (span) => span.cachedTokens),
    reasoningTokens: sum(withTokens, (span) => span.reasoningTokens),
    costNanoUsd: sum(counted(COST), (span) => span.costNanoUsd || span.totalCostNanoUsd),
  }
}

/** Whether a span reports the tokens of a call to a model. */
export function isCall({
  inputTokens,
  outputTokens,
}: Pick<TraceSpan, 'inputTokens' | 'outputTokens'>): boolean {
  return inputTokens > 0n || outputTokens > 0n
}

/** A call that was stored as a total repeats another one. */
function isModel({ type }: UsageSpan): boolean {
  return type === 'model' || type === 'embedding'
}

function sum(spans: readonly UsageSpan[], amountOf: (span: UsageSpan) => bigint): bigint {
  return spans.reduce((total, span) => total + amountOf(span), 0n)
}
