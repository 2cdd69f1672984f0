import type { TestSpan } from './otlp.ts'

/** A span with when it was last sent. */
export interface SentSpan extends TestSpan {
  readonly sentMs: number
  /** Whether its parent was in the same request, and the span is not its own ancestor. */
  readonly cameWithParent: boolean
  /**
   * Whether it repeats the tokens of another call in the same request: of its parent, or of an
   * earlier one with the same parent, response and tokens that ends no earlier.
   */
  readonly isRepeated: boolean
  /** Whether that call reports a cost as well, so that the span's own is a repetition, too. */
  readonly isCostRepeated: boolean
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
    const [first] = [...latest.values()]
      .filter((other) => isEarlierOfResponse(other, span))
      .toSorted(byStart)
    const outer =
      cameWithParent && above[0] !== undefined && isCall(above[0]) ? above[0] : undefined
    const repeated = first ?? outer
    const isRepeated = repeated !== undefined
    const isCostRepeated = isRepeated && isCall(span) && costOf(repeated) > 0
    return { ...span, sentMs, cameWithParent, isRepeated, isCostRepeated }
  })
}

/** Whether a call certainly reports an earlier one again; see `isRepeated`. */
function isEarlierOfResponse(first: TestSpan, second: TestSpan): boolean {
  return (
    isCall(first) &&
    responseOf(second) !== '' &&
    responseOf(first) === responseOf(second) &&
    first.traceId === second.traceId &&
    (first.parentSpanId ?? '') === (second.parentSpanId ?? '') &&
    isSameUsage(first, second) &&
    endOf(first) >= endOf(second) &&
    byStart(first, second) < 0
  )
}

function isSameUsage(a: TestSpan, b: TestSpan): boolean {
  return ['input', 'output'].every((name) => {
    const of = ({ attributes }: TestSpan) =>
      Number(attributes?.[`gen_ai.usage.${name}_tokens`] ?? 0)
    return of(a) === of(b)
  })
}

function endOf({ startMs, durationMs }: TestSpan): number {
  return startMs + (durationMs ?? 1)
}

/** Whether two calls with the same response overlap in time or have the same tokens. */
function agree(a: TestSpan, b: TestSpan): boolean {
  if (responseOf(a) === '' || responseOf(a) !== responseOf(b)) return false
  return isSameUsage(a, b) || (a.startMs <= endOf(b) && b.startMs <= endOf(a))
}

/** Returns the calls that report the same as a call, also by way of others. */
function sameCalls(call: SentSpan, calls: readonly SentSpan[]): readonly SentSpan[] {
  const same = [call]
  for (const each of same)
    same.push(...calls.filter((other) => !same.includes(other) && agree(each, other)))
  return same
}

function byStart(a: TestSpan, b: TestSpan): number {
  return a.startMs - b.startMs || (a.spanId < b.spanId ? -1 : a.spanId > b.spanId ? 1 : 0)
}

function costOf({ attributes }: TestSpan): number {
  return Number(attributes?.['operation.cost'] ?? 0)
}

function isModel(span: TestSpan): boolean {
  return span.attributes?.['gen_ai.operation.name'] === 'chat'
}

function responseOf({ attributes }: TestSpan) {
  return attributes?.['gen_ai.response.id'] ?? ''
}

/** Whether a span is a call of a model that reports tokens. */
function isCall(span: TestSpan): boolean {
  return isModel(span) && reportsTokens(span)
}

function reportsTokens({ attributes }: TestSpan): boolean {
  return ['input', 'output'].some(
    (name) => Number(attributes?.[`gen_ai.usage.${name}_tokens`] ?? 0) > 0,
  )
}

/** Which spans report the tokens of a call, or its cost, and which repeat those of others. */
interface Measure {
  readonly reports: (span: SentSpan) => boolean
  readonly isRepeated: (span: SentSpan) => boolean
}

const TOKENS: Measure = { reports: reportsTokens, isRepeated: ({ isRepeated }) => isRepeated }
const COST: Measure = {
  reports: (span) => costOf(span) > 0,
  isRepeated: ({ isCostRepeated }) => isCostRepeated,
}

/**
 * Returns the spans whose tokens, or cost, count: calls whose parent isn't a call, of several
 * reports of one call the first; or else the outermost spans that report the tokens of others.
 */
function countedSpans(
  spans: readonly SentSpan[],
  { reports, isRepeated }: Measure,
): readonly SentSpan[] {
  const parentOf = (span: SentSpan) => spans.find(({ spanId }) => spanId === span.parentSpanId)
  const ancestorsOf = (span: SentSpan) => {
    const above: SentSpan[] = []
    let next = parentOf(span)
    for (; next !== undefined && !above.includes(next); next = parentOf(next)) above.push(next)
    return above
  }
  const isOnCycle = (span: SentSpan) => ancestorsOf(span).includes(span)
  const isOuter = (span: SentSpan, isWithin: boolean) => isOnCycle(span) || !isWithin
  const isAnyCall = (span: SentSpan) => isModel(span) && reports(span)
  const isInCall = (span: SentSpan) => {
    const parent = parentOf(span)
    return parent !== undefined && isAnyCall(parent)
  }
  const calls = spans
    .filter((span) => isAnyCall(span) && !isRepeated(span))
    .filter((span) => isOuter(span, isInCall(span)))
    .toSorted(byStart)
  if (calls.length > 0)
    return calls.filter((span) =>
      sameCalls(span, calls).every((other) => other === span || byStart(span, other) < 0),
    )
  const isTotal = (span: SentSpan) => reports(span) && (!isModel(span) || isRepeated(span))
  return spans.filter((span) => isTotal(span) && isOuter(span, ancestorsOf(span).some(isTotal)))
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
  readonly costUsd: number
  /** Those of its first span that has one; empty if none has. */
  readonly sessionId: string
  readonly userId: string
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
    const withTokens = countedSpans(spans, TOKENS)
    const sum = (key: string) =>
      withTokens.reduce(
        (total, { attributes }) => total + BigInt(String(attributes?.[key] ?? 0)),
        0n,
      )
    return [
      {
        traceId,
        name: root.name ?? 'work',
        isError: root.isError === true || spans.some(isFailedAgent),
        startMs: root.startMs,
        durationMs: root.durationMs ?? 1,
        inputTokens: sum('gen_ai.usage.input_tokens'),
        outputTokens: sum('gen_ai.usage.output_tokens'),
        costUsd: countedSpans(spans, COST).reduce((total, span) => total + costOf(span), 0),
        sessionId: firstOf(spans, 'session.id'),
        userId: firstOf(spans, 'user.id'),
      },
    ]
  })
}

function firstOf(spans: readonly SentSpan[], key: string): string {
  const values = spans.toSorted(byStart).map(({ attributes }) => String(attributes?.[key] ?? ''))
  return values.find((value) => value !== '') ?? ''
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
    costUsd: traces.reduce((sum, { costUsd }) => sum + costUsd, 0),
  }
}
