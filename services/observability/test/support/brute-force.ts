import type { TestSpan } from './otlp.ts'

/** A span with when it was last sent. */
export interface SentSpan extends TestSpan {
  readonly sentMs: number
  /** Whether its parent was in the same request, and the span is not its own ancestor. */
  readonly cameWithParent: boolean
  /** Whether it repeats the tokens of its parent: both are calls of a model. */
  readonly isRepeated: boolean
}

/** Converts the spans of one request. */
export function asSent(request: readonly TestSpan[], sentMs: number): readonly SentSpan[] {
  const latest = new Map(request.map((span) => [`${span.traceId}/${span.spanId}`, span]))
  const parentOf = (span: TestSpan) => latest.get(`${span.traceId}/${span.parentSpanId}`)
  return request.map((span) => {
    const above = [parentOf(span)]
    for (let step = 0; step < request.length; step += 1) {
      const last = above.at(-1)
      above.push(last && parentOf(last))
    }
    const isInCycle = above.some(
      (other) => other?.traceId === span.traceId && other.spanId === span.spanId,
    )
    const cameWithParent = above[0] !== undefined && !isInCycle
    const isRepeated = cameWithParent && above[0] !== undefined && isCall(above[0])
    return { ...span, sentMs, cameWithParent, isRepeated }
  })
}

/** Whether a span is a call of a model that reports tokens. */
function isCall({ attributes }: TestSpan): boolean {
  const tokens = ['input', 'output'].map((name) => attributes?.[`gen_ai.usage.${name}_tokens`] ?? 0)
  return (
    attributes?.['gen_ai.operation.name'] === 'chat' && tokens.some((count) => Number(count) > 0)
  )
}

/** A trace by its definition, found in the slow, obvious way. */
export interface ExpectedTrace {
  readonly traceId: string
  readonly name: string
  readonly isError: boolean
  readonly startMs: number
  readonly durationMs: number
  readonly inputTokens: bigint
  readonly outputTokens: bigint
}

/**
 * Returns every trace that has a root. That is the earliest span without a parent, or else with a
 * remote or missing parent, or else (in a cycle) that was sent without its parent. Spans with an
 * unknown parent count only if they were sent by `settledBeforeMs`.
 */
export function expectedTraces(
  sent: readonly SentSpan[],
  settledBeforeMs: number,
): readonly ExpectedTrace[] {
  const latest = new Map(sent.map((span) => [`${span.traceId}/${span.spanId}`, span]))
  const byTrace = Map.groupBy(latest.values(), ({ traceId }) => traceId)
  return [...byTrace].flatMap(([traceId, spans]) => {
    const isPresent = (spanId: string) => spans.some((span) => span.spanId === spanId)
    const tops = spans.filter(({ parentSpanId = '' }) => parentSpanId === '')
    const locals = spans.filter(
      ({ parentSpanId = '', flags = 0, sentMs }) =>
        parentSpanId !== '' &&
        (flags === 0x300 || (!isPresent(parentSpanId) && sentMs <= settledBeforeMs)),
    )
    const loose = spans.filter(
      ({ cameWithParent, sentMs }) => !cameWithParent && sentMs <= settledBeforeMs,
    )
    const [root] = (tops.length > 0 ? tops : locals.length > 0 ? locals : loose).toSorted(
      (a, b) => a.startMs - b.startMs || (a.spanId < b.spanId ? -1 : 1),
    )
    if (root === undefined) return []
    const sum = (key: string) =>
      spans
        .filter((span) => isCall(span) && !span.isRepeated)
        .reduce((total, { attributes }) => total + BigInt(attributes?.[key] ?? 0), 0n)
    return [
      {
        traceId,
        name: root.name ?? 'work',
        isError: root.isError === true || spans.some(isFailedAgent),
        startMs: root.startMs,
        durationMs: root.durationMs ?? 1,
        inputTokens: sum('gen_ai.usage.input_tokens'),
        outputTokens: sum('gen_ai.usage.output_tokens'),
      },
    ]
  })
}

function isFailedAgent({ isError, attributes }: TestSpan): boolean {
  return isError === true && attributes?.['gen_ai.operation.name'] === 'invoke_agent'
}

/** Sorts traces newest first, ties by trace id. */
export function newestFirst(traces: readonly ExpectedTrace[]): readonly ExpectedTrace[] {
  return traces.toSorted((a, b) => b.startMs - a.startMs || (a.traceId < b.traceId ? -1 : 1))
}

/** Returns the totals of traces. */
export function expectedTotals(traces: readonly ExpectedTrace[]) {
  const durations = traces.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  const count = traces.length
  return {
    count,
    errorCount: traces.filter(({ isError }) => isError).length,
    avgMs: count === 0 ? 0 : durations.reduce((sum, duration) => sum + duration, 0) / count,
    p95Ms: durations[Math.ceil((95 * count) / 100) - 1] ?? 0,
    inputTokens: traces.reduce((sum, { inputTokens }) => sum + inputTokens, 0n),
    outputTokens: traces.reduce((sum, { outputTokens }) => sum + outputTokens, 0n),
  }
}
