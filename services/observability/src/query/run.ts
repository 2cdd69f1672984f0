import { compare } from '../domain/compare.ts'
import { factsOf, MODEL_TYPES } from '../domain/trace-facts.ts'
import { byStart, TEXT_SOURCE_TYPES } from '../domain/trace-tree.ts'
import { usageOf, type TraceUsage } from '../domain/trace-usage.ts'
import { MAX_GAPS, TIME_DIGITS } from './borrowed-facts.ts'
import type { RunSpan } from './run-spans.ts'
import { MAX_MODELS } from './trace-facts.ts'

/** A trace without its texts. */
export interface Run {
  readonly traceId: string
  readonly rootSpanId: string
  readonly startTimeNs: bigint
  readonly durationNs: bigint
  /** Whether the root or an agent failed. */
  readonly isError: boolean
  readonly usage: TraceUsage
  /** The times to the first token of the calls that report it, and how many these are. */
  readonly firstTokenSumNs: bigint
  readonly firstTokenCount: number
  /** When the first and the last of its spans started. */
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
  readonly name: string
  readonly buildId: string
  /** Those of the first span in time that has one; empty if there is none. */
  readonly sessionId: string
  readonly userId: string
  readonly models: readonly string[]
  readonly costSource: string
  readonly spanCount: number
  readonly errorSpanCount: number
  readonly input: Lending
  readonly output: Lending
}

/** Which spans of a trace have its input or its output. */
export interface Lending {
  readonly isOfRoot: boolean
  /** The span that lends the trace the text if the root has none. */
  readonly lender: string | undefined
  /** The order of the lender and of the spans without a text; see ORDER_COLUMNS. */
  readonly order: string
  readonly gaps: readonly string[]
}

/** Returns a trace from its spans, without copies. */
export function toRun(unsorted: readonly RunSpan[], root: RunSpan): Run {
  const spans = unsorted.toSorted(byStart)
  const { sessionId, userId, costSource } = factsOf(spans)
  const starts = spans.map(({ startTimeNs }) => startTimeNs)
  const firstTokens = spans.filter(({ firstTokenNs }) => firstTokenNs > 0n)
  const lenders = spans.filter(({ type }) => TEXT_SOURCE_TYPES.includes(type))
  const byEnd = lenders.toSorted((a, b) => compare(ended(b), ended(a)))
  return {
    traceId: root.traceId,
    rootSpanId: root.spanId,
    startTimeNs: root.startTimeNs,
    durationNs: root.durationNs,
    isError: root.isError || spans.some(({ isFailedRun }) => isFailedRun),
    usage: usageOf(spans),
    firstTokenSumNs: firstTokens.reduce((sum, { firstTokenNs }) => sum + firstTokenNs, 0n),
    firstTokenCount: firstTokens.length,
    firstStartNs: starts[0] ?? root.startTimeNs,
    lastStartNs: starts.at(-1) ?? root.startTimeNs,
    name: root.name,
    buildId: root.buildId,
    sessionId,
    userId,
    models: modelsOf(spans),
    costSource,
    spanCount: spans.length,
    errorSpanCount: spans.filter(({ isError }) => isError).length,
    input: lendingOf(lenders, ({ hasInput }) => hasInput, { root, orderOf: started }),
    output: lendingOf(byEnd, ({ hasOutput }) => hasOutput, { root, orderOf: ended }),
  }
}

/** The first of the sorted spans that has a text lends it. */
function lendingOf(
  sorted: readonly RunSpan[],
  hasText: (span: RunSpan) => boolean,
  { root, orderOf }: { root: RunSpan; orderOf: (span: RunSpan) => string },
): Lending {
  const lender = sorted.find(hasText)
  const gaps = sorted.filter((span) => !hasText(span)).slice(0, MAX_GAPS)
  return {
    isOfRoot: hasText(root),
    lender: lender?.spanId,
    order: lender === undefined ? '' : orderOf(lender),
    gaps: gaps.map(orderOf),
  }
}

function modelsOf(spans: readonly RunSpan[]): readonly string[] {
  const models = spans
    .filter(({ type, model }) => model !== '' && MODEL_TYPES.includes(type))
    .map(({ model }) => model)
  return [...new Set(models)].slice(0, MAX_MODELS).toSorted()
}

function started({ startTimeNs, spanId }: RunSpan): string {
  return String(startTimeNs).padStart(TIME_DIGITS, '0') + spanId
}

function ended({ startTimeNs, durationNs, spanId }: RunSpan): string {
  return String(startTimeNs + durationNs).padStart(TIME_DIGITS, '0') + spanId
}
