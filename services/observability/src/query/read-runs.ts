import { hoursLong, isTimeIn } from '../domain/hours.ts'
import { findListedRoot, type RootSpan } from '../domain/trace-tree.ts'
import { usageOf, type TraceUsage, type UsageSpan } from '../domain/trace-usage.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { listOf, queryRows, type Row } from './query-rows.ts'
import { fromSpans } from './spans-sql.ts'
import { scopeParameters, tailsInParts, type TraceScope } from './traces-sql.ts'
import { USAGE_AMOUNTS } from './usage-sql.ts'

/** Planning a query of groups takes as long as reading so many spans one by one. */
const MAX_SPANS = 20_000
/** Longer parts usually have more spans. */
const MAX_HOURS = 4

/** A trace with a root in the parts of a range. */
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
}

/** The columns of a span, by name, as SQL. */
const COLUMNS = {
  traces: 'lower(hex(trace_id))',
  spans: 'lower(hex(span_id))',
  parents: 'lower(hex(parent_span_id))',
  starts: 'toString(toUnixTimestamp64Nano(start_time))',
  ranks: 'root_rank',
  versions: 'toFloat64(version)',
  durations: 'toString(duration_ns)',
  errors: 'is_error',
  failed_runs: 'is_failed_run',
  first_tokens: 'toString(first_token_ns)',
  types: 'toString(type)',
  response_keys: 'toString(response_key)',
  ...Object.fromEntries(USAGE_AMOUNTS.map((column) => [column, `toString(${column})`])),
}

/**
 * Reads the traces of a few hours span by span. Returns undefined if the parts are long, or if there
 * are many spans.
 */
export async function readRuns(
  reader: TraceReader,
  scope: TraceScope,
): Promise<readonly Run[] | undefined> {
  if (hoursLong(scope.parts) > MAX_HOURS) return undefined
  const selected = Object.entries(COLUMNS).map(([name, value]) => `${value} AS one_of_${name}`)
  const lists = Object.keys(COLUMNS).map((name) => `groupArray(one_of_${name}) AS ${name}`)
  const sql = `
    SELECT ${lists.join(', ')}
    FROM (
      SELECT ${selected.join(', ')}
      ${fromSpans([], 'none', { tails: `(${tailsInParts(scope)})` })}
      LIMIT ${MAX_SPANS + 1}
    )`
  const [row] = await queryRows(reader, sql, scopeParameters(scope))
  const spans = toSpans(row ?? {})
  if (spans.length > MAX_SPANS) return undefined
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId)
  return [...byTrace.values()].flatMap((copies) => {
    const run = toRun(withoutCopies(copies), scope.settledBeforeUs)
    return run !== undefined && isTimeIn(run.startTimeNs, scope.parts) ? [run] : []
  })
}

interface RunSpan extends UsageSpan, RootSpan {
  readonly traceId: string
  readonly durationNs: bigint
  readonly isError: boolean
  readonly isFailedRun: boolean
  readonly firstTokenNs: bigint
}

function toSpans(row: Row): readonly RunSpan[] {
  const lists = Object.fromEntries(
    Object.keys(COLUMNS).map((name) => [name, listOf(row, name)]),
  ) as Record<keyof typeof COLUMNS | (typeof USAGE_AMOUNTS)[number], readonly unknown[]>
  return lists.traces.map((traceId, index) => {
    const text = (name: keyof typeof lists) => String(lists[name][index])
    const amount = (name: keyof typeof lists) => toBigInt(text(name))
    const number = (name: keyof typeof lists) => Number(lists[name][index])
    return {
      traceId: String(traceId),
      spanId: text('spans'),
      parentSpanId: text('parents'),
      startTimeNs: BigInt(text('starts')),
      rootRank: number('ranks'),
      version: number('versions'),
      hasParent: false,
      durationNs: amount('durations'),
      isError: number('errors') > 0,
      isFailedRun: number('failed_runs') > 0,
      firstTokenNs: amount('first_tokens'),
      type: text('types'),
      responseKey: text('response_keys'),
      inputTokens: amount('input_tokens'),
      outputTokens: amount('output_tokens'),
      totalInputTokens: amount('total_input_tokens'),
      totalOutputTokens: amount('total_output_tokens'),
      cachedTokens: amount('cached_tokens'),
      reasoningTokens: amount('reasoning_tokens'),
      costNanoUsd: amount('cost_nano_usd'),
      totalCostNanoUsd: amount('total_cost_nano_usd'),
    }
  })
}

/** Most amounts are 0. */
function toBigInt(digits: string): bigint {
  return digits === '0' ? 0n : BigInt(digits)
}

/** Keeps the newest copy of each span of a trace, and tells which parents are stored. */
function withoutCopies(copies: readonly RunSpan[]): readonly RunSpan[] {
  const newest = new Map<string, RunSpan>()
  for (const span of copies) {
    const other = newest.get(span.spanId)
    if (other === undefined || other.version < span.version) newest.set(span.spanId, span)
  }
  return [...newest.values()].map((span) => ({
    ...span,
    hasParent: newest.has(span.parentSpanId),
  }))
}

function toRun(spans: readonly RunSpan[], settledBeforeUs: number): Run | undefined {
  const root = findListedRoot(spans, settledBeforeUs)
  if (root === undefined) return undefined
  const starts = spans.map(({ startTimeNs }) => startTimeNs)
  const firstTokens = spans.filter(({ firstTokenNs }) => firstTokenNs > 0n)
  return {
    traceId: root.traceId,
    rootSpanId: root.spanId,
    startTimeNs: root.startTimeNs,
    durationNs: root.durationNs,
    isError: root.isError || spans.some(({ isFailedRun }) => isFailedRun),
    usage: usageOf(spans),
    firstTokenSumNs: firstTokens.reduce((sum, { firstTokenNs }) => sum + firstTokenNs, 0n),
    firstTokenCount: firstTokens.length,
    firstStartNs: starts.reduce((first, start) => (start < first ? start : first)),
    lastStartNs: starts.reduce((last, start) => (start > last ? start : last)),
  }
}
