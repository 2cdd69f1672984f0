import { createAncestorTest, findCycles } from '../domain/ancestors.ts'
import { RootRank, type StoredSpan } from '../domain/span.ts'
import { byStart } from '../domain/trace-tree.ts'
import { isCall } from '../domain/trace-usage.ts'

/**
 * Adds what the spans of one request show of each other:
 *
 * - A span whose parent is in the request can't be the root of its trace. Spans on a cycle of
 *   parents stay unmarked, because one of them must be the root.
 * - A call to a model inside of another one is the same call, reported by two instrumentations: its
 *   tokens and its cost repeat those of the outer call. So do those of the later ones of several
 *   calls with the same response and the same parent. A cost stays if the other call has none.
 * - A run doesn't fail with an agent that a tool has called: the tool's caller may handle it.
 */
export function resolveSpans(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  const byId = new Map(spans.map((span) => [span.traceId + span.spanId, span]))
  const parentOf = (id: string) => {
    const span = byId.get(id)
    return span && span.traceId + span.parentSpanId
  }
  const cycles = findCycles(byId.keys(), parentOf)
  const isInTool = createAncestorTest(parentOf, (id) => byId.get(id)?.type === 'tool')
  const firstOf = createFirstFinder(byId.values())
  return spans.map((sent) => {
    const first = firstOf(sent)
    const span = first.spanId === sent.spanId ? sent : { ...sent, ...asRepeated(sent, first) }
    const id = span.traceId + span.spanId
    const parent = byId.get(span.traceId + span.parentSpanId)
    if (parent === undefined || cycles.has(id)) return span
    const isRoot = span.rootRank === RootRank.RemoteParent || span.rootRank === RootRank.NoParent
    return {
      ...span,
      ...(isRoot ? {} : { rootRank: RootRank.KnownParent }),
      ...(span.isFailedRun && isInTool(id) ? { isFailedRun: false } : {}),
      ...(isCall(span) && isCall(parent) ? asRepeated(span, parent) : {}),
    }
  })
}

/**
 * Returns a function that finds the first call with the same response and the same parent: of most
 * spans, the span itself.
 */
function createFirstFinder(spans: Iterable<StoredSpan>): (span: StoredSpan) => StoredSpan {
  const firsts = new Map<string, StoredSpan>()
  const keyOf = ({ traceId, parentSpanId, responseId }: StoredSpan) =>
    `${traceId}/${parentSpanId}/${responseId}`
  for (const span of spans) {
    if (span.responseId === '' || !isCall(span)) continue
    const first = firsts.get(keyOf(span))
    if (first === undefined || byStart(span, first) < 0) firsts.set(keyOf(span), span)
  }
  return (span) => (isCall(span) ? (firsts.get(keyOf(span)) ?? span) : span)
}

/** The tokens and the cost of a call that repeats those of another call. */
function asRepeated({ inputTokens, outputTokens, costNanoUsd }: StoredSpan, of: StoredSpan) {
  const cost = of.costNanoUsd > 0n ? { costNanoUsd: 0n, totalCostNanoUsd: costNanoUsd } : {}
  return {
    inputTokens: 0n,
    outputTokens: 0n,
    totalInputTokens: inputTokens,
    totalOutputTokens: outputTokens,
    ...cost,
  }
}
