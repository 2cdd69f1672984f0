import { Span_SpanKind } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { createAncestorTest, findCycles } from '../../domain/ancestors.ts'
import { RootRank, type StoredSpan } from '../../domain/span.ts'
import { byStart } from '../../domain/trace-tree.ts'
import { isCall } from '../../domain/trace-usage.ts'

/**
 * Adds what the spans of one request show of each other:
 *
 * - A span whose parent is in the request can't be the root of its trace. Spans on a cycle of
 *   parents stay unmarked, because one of them must be the root.
 * - A call to a model inside of another one is the same call, reported by two instrumentations: its
 *   tokens and its cost repeat those of the outer call. So do those of a call with the same
 *   response, parent and tokens as another one, in its time. A cost stays if the other has none.
 * - A run doesn't fail with an agent that a tool has called: the tool's caller may handle it. It
 *   fails with the work of a queue, whose spans are in other requests than the tool.
 */
export function resolveSpans(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  const ids = spans.map((span) => span.traceId + span.spanId)
  const byId = new Map(spans.map((span, index) => [ids[index], span]))
  const parents = new Map(
    spans.map((span) => {
      const { traceId, parentSpanId } = span
      return [span, parentSpanId === '' ? undefined : byId.get(traceId + parentSpanId)]
    }),
  )
  const parentOf = (span: StoredSpan) => parents.get(span)
  const cycles = findCycles(byId.values(), parentOf)
  const isInTool = createAncestorTest(parentOf, ({ type }) => type === 'tool')
  const firsts = findRepeated(byId.values())
  return spans.map((sent, index) => {
    /** The last of several spans with the same id decides. */
    const last = byId.get(ids[index]) ?? sent
    const first = firsts.get(last)
    const span = first === undefined ? sent : { ...sent, ...asRepeated(sent, first) }
    const parent = parentOf(sent)
    if (parent === undefined || cycles.has(last)) return span
    const isRoot = span.rootRank === RootRank.RemoteParent || span.rootRank === RootRank.NoParent
    return {
      ...span,
      ...(isRoot ? {} : { rootRank: RootRank.KnownParent }),
      ...(span.isFailedRun && !isQueued(span) && isInTool(last) ? { isFailedRun: false } : {}),
      ...(isCall(span) && isCall(parent) ? asRepeated(span, parent) : {}),
    }
  })
}

function isQueued({ kind }: StoredSpan): boolean {
  return kind === Span_SpanKind.CONSUMER
}

/** Finds the calls that repeat an earlier one; queries find those that aren't as certain. */
function findRepeated(spans: Iterable<StoredSpan>): ReadonlyMap<StoredSpan, StoredSpan> {
  const firsts = new Map<string, StoredSpan>()
  const repeated: [string, StoredSpan][] = []
  for (const span of spans) {
    if (span.responseId === '' || !isCall(span)) continue
    const tokens = `${span.inputTokens}/${span.outputTokens}`
    const key = `${span.traceId}/${span.parentSpanId}/${span.responseId}/${tokens}`
    const first = firsts.get(key)
    const isFirst = first === undefined || byStart(span, first) < 0
    if (isFirst) firsts.set(key, span)
    if (first !== undefined) repeated.push([key, isFirst ? first : span])
  }
  const pairs = repeated.map(([key, span]) => [span, firsts.get(key) ?? span] as const)
  return new Map(pairs.filter(([span, first]) => endOf(span) <= endOf(first)))
}

function endOf({ startTimeNs, durationNs }: StoredSpan): bigint {
  return startTimeNs + durationNs
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
