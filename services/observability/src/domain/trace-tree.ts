import { RootRank } from './span.ts'

/** A span of a trace that is looked at as a whole. */
export interface TraceSpan {
  readonly spanId: string
  /** Empty when there is no parent. */
  readonly parentSpanId: string
  /** One of RootRank's values. */
  readonly rootRank: number
  /** Whether the parent is among the agent's spans. */
  readonly hasParent: boolean
  /** When it was stored, in microseconds since 1970. */
  readonly version: number
  readonly startTimeNs: bigint
  readonly durationNs: bigint
  readonly isError: boolean
  readonly kind: number
  readonly buildId: string
  readonly model: string
  readonly name: string
  readonly statusMessage: string
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly input: string
  readonly output: string
  /** JSON object, or empty when it was left out. */
  readonly attributes: string
  /** JSON array, or empty when it was left out. */
  readonly events: string
}

/**
 * The root of a trace: the span without a parent, else the one whose parent is remote or missing,
 * the earliest when there are several. Without any, spans are each other's parents, and it is the
 * earliest that came without its parent. While a trace has none yet, its earliest span stands for
 * it.
 */
export function findRoot(
  spans: readonly TraceSpan[],
  settledBefore: number,
): TraceSpan | undefined {
  const isUnknown = ({ rootRank, version }: TraceSpan) =>
    rootRank === RootRank.UnknownParent && version <= settledBefore
  const earliest = (candidates: readonly TraceSpan[]) => candidates.toSorted(byStart)[0]
  return (
    earliest(spans.filter(({ rootRank }) => rootRank === RootRank.NoParent)) ??
    earliest(
      spans.filter(
        (span) => span.rootRank === RootRank.RemoteParent || (isUnknown(span) && !span.hasParent),
      ),
    ) ??
    earliest(spans.filter(isUnknown)) ??
    earliest(spans)
  )
}

/** The text of the root; when it has none, that of the first span that was given one. */
export function inputOf(spans: readonly TraceSpan[], root: TraceSpan): string {
  return root.input || (spans.filter(({ input }) => input !== '').toSorted(byStart)[0]?.input ?? '')
}

/** The text of the root; when it has none, that of the last span to end that gave one. */
export function outputOf(spans: readonly TraceSpan[], root: TraceSpan): string {
  return (
    root.output ||
    (spans
      .filter(({ output }) => output !== '')
      .toSorted(byEnd)
      .at(-1)?.output ??
      '')
  )
}

/**
 * Spans in the order of their tree: each after its parent, children by start. The tops are the
 * spans whose parent isn't there; spans that are each other's parents come last, as tops too.
 * `parentSpanId` is empty for tops.
 */
export function inTreeOrder(spans: readonly TraceSpan[]): readonly TraceSpan[] {
  const present = new Set(spans.map(({ spanId }) => spanId))
  const children = Map.groupBy(spans, ({ parentSpanId }) =>
    present.has(parentSpanId) ? parentSpanId : '',
  )
  const visited = new Set<string>()
  const ordered: TraceSpan[] = []

  function visit(top: TraceSpan): void {
    const open = [{ ...top, parentSpanId: '' }]
    for (let span = open.pop(); span !== undefined; span = open.pop()) {
      if (visited.has(span.spanId)) continue
      visited.add(span.spanId)
      ordered.push(span)
      open.push(...(children.get(span.spanId) ?? []).toSorted(byStart).toReversed())
    }
  }

  for (const top of (children.get('') ?? []).toSorted(byStart)) visit(top)
  for (const span of spans.toSorted(byStart)) if (!visited.has(span.spanId)) visit(span)
  return ordered
}

function byStart(a: TraceSpan, b: TraceSpan): number {
  return compare(a.startTimeNs, b.startTimeNs) || compare(a.spanId, b.spanId)
}

function byEnd(a: TraceSpan, b: TraceSpan): number {
  return (
    compare(a.startTimeNs + a.durationNs, b.startTimeNs + b.durationNs) ||
    compare(a.spanId, b.spanId)
  )
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
