import { compare } from './compare.ts'
import { RootRank } from './span.ts'

/** A span of a trace that was read completely. */
export interface TraceSpan {
  readonly spanId: string
  /** All zeros if there is no parent; empty in a sorted tree. */
  readonly parentSpanId: string
  /** One of RootRank's values. */
  readonly rootRank: number
  /** Whether the parent is stored. */
  readonly hasParent: boolean
  /** When the span was stored, in microseconds since 1970. */
  readonly version: number
  readonly startTimeNs: bigint
  readonly durationNs: bigint
  readonly isError: boolean
  readonly kind: number
  readonly type: string
  readonly buildId: string
  readonly model: string
  readonly name: string
  readonly statusMessage: string
  /** A hash of the id of the model's response, in digits; `0` if there is none. */
  readonly responseKey: string
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly totalInputTokens: bigint
  readonly totalOutputTokens: bigint
  readonly cachedTokens: bigint
  readonly cacheWrittenTokens: bigint
  readonly reasoningTokens: bigint
  /** In billionths of a US dollar; 0 if unknown. */
  readonly costNanoUsd: bigint
  readonly totalCostNanoUsd: bigint
  /** One of CostSource's values. */
  readonly costSource: string
  /** 0 if unknown. */
  readonly firstTokenNs: bigint
  readonly scope: string
  readonly provider: string
  readonly toolName: string
  readonly sessionId: string
  readonly userId: string
  readonly finishReason: string
  /** JSON, as `messagesOf` reads it. */
  readonly messages: string
  readonly input: string
  readonly output: string
  /** A JSON object; empty when omitted. */
  readonly attributes: string
  /** A JSON array; empty when omitted. */
  readonly events: string
}

/** The fields of a span that decide which one is the root. */
export type RootSpan = Pick<
  TraceSpan,
  'spanId' | 'startTimeNs' | 'rootRank' | 'hasParent' | 'version'
>

/**
 * Finds the root of a trace, as `findListedRoot`, or else its earliest span. Returns undefined if
 * there are no spans.
 */
export function findRoot<Span extends RootSpan>(
  spans: readonly Span[],
  settledBeforeUs: number,
): Span | undefined {
  return findListedRoot(spans, settledBeforeUs) ?? spans.toSorted(byStart)[0]
}

/**
 * Finds the root of a trace: the earliest span of the first of these kinds that the trace has.
 *
 * 1. spans without a parent
 * 2. spans with a remote or missing parent
 * 3. spans that arrived before their parent, if all spans lead to a cycle of parents
 *
 * A missing parent may still arrive, so a span with an unknown parent counts only if it was stored
 * by `settledBeforeUs` (microseconds since 1970). Returns undefined if the trace has no root yet;
 * lists don't show it.
 */
export function findListedRoot<Span extends RootSpan>(
  spans: readonly Span[],
  settledBeforeUs: number,
): Span | undefined {
  const isSettled = ({ rootRank, version }: RootSpan) =>
    rootRank === RootRank.UnknownParent && version <= settledBeforeUs
  const earliest = (candidates: readonly Span[]) => candidates.toSorted(byStart)[0]
  return (
    earliest(spans.filter(({ rootRank }) => rootRank === RootRank.NoParent)) ??
    earliest(
      spans.filter(
        (span) => span.rootRank === RootRank.RemoteParent || (isSettled(span) && !span.hasParent),
      ),
    ) ??
    earliest(spans.filter(isSettled))
  )
}

/**
 * The types of spans whose input and output can be those of the whole trace. The arguments of a
 * tool are not what the agent was asked. Unknown spans have no type.
 */
export const TEXT_SOURCE_TYPES: readonly string[] = ['', 'agent', 'model']

/** Returns the input of the root or, if it has none, of the first agent or model with an input. */
export function inputOf(spans: readonly TraceSpan[], root: TraceSpan): string {
  const inputs = spans.filter(({ type, input }) => TEXT_SOURCE_TYPES.includes(type) && input !== '')
  return root.input || (inputs.toSorted(byStart)[0]?.input ?? '')
}

/**
 * Returns the output of the root or, if it has none, of the last agent or model to end with an
 * output. A run that failed has no answer but the root's own.
 */
export function outputOf(spans: readonly TraceSpan[], root: TraceSpan, hasFailed: boolean): string {
  if (hasFailed) return root.output
  const outputs = spans.filter(
    ({ type, output }) => TEXT_SOURCE_TYPES.includes(type) && output !== '',
  )
  return root.output || (outputs.toSorted(byEnd).at(-1)?.output ?? '')
}

/**
 * Sorts spans as a tree, depth first: each span follows its parent, and siblings are sorted by
 * start. Spans whose parent is missing are at the top of the tree. A cycle of spans is at the end
 * and starts at its earliest span. `parentSpanId` is empty in spans at the top.
 */
export function sortAsTree(spans: readonly TraceSpan[]): readonly TraceSpan[] {
  const present = new Set(spans.map(({ spanId }) => spanId))
  const children = Map.groupBy(spans, ({ parentSpanId }) =>
    present.has(parentSpanId) ? parentSpanId : '',
  )
  const visited = new Set<string>()
  const sorted: TraceSpan[] = []

  function visit(top: TraceSpan): void {
    const open = [{ ...top, parentSpanId: '' }]
    for (let span = open.pop(); span !== undefined; span = open.pop()) {
      if (visited.has(span.spanId)) continue
      visited.add(span.spanId)
      sorted.push(span)
      open.push(...(children.get(span.spanId) ?? []).toSorted(byStart).toReversed())
    }
  }

  for (const top of (children.get('') ?? []).toSorted(byStart)) visit(top)
  for (const span of spans.toSorted(byStart)) if (!visited.has(span.spanId)) visit(span)
  return sorted
}

/** Orders spans by their start, and those of the same start by their id. */
export function byStart(
  a: Pick<TraceSpan, 'startTimeNs' | 'spanId'>,
  b: Pick<TraceSpan, 'startTimeNs' | 'spanId'>,
): number {
  return compare(a.startTimeNs, b.startTimeNs) || compare(a.spanId, b.spanId)
}

function byEnd(a: TraceSpan, b: TraceSpan): number {
  return (
    compare(a.startTimeNs + a.durationNs, b.startTimeNs + b.durationNs) ||
    compare(a.spanId, b.spanId)
  )
}
