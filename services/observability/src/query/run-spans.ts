import { RootRank } from '../domain/span.ts'
import type { RootSpan } from '../domain/trace-tree.ts'
import type { UsageSpan } from '../domain/trace-usage.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { listOf, queryRows, type Row } from './query-rows.ts'
import { fromSpans, type SpanSelection } from './spans-sql.ts'
import { USAGE_AMOUNTS } from './usage-sql.ts'

/** Planning a query of groups takes as long as reading so many spans one by one. */
const MAX_SPANS = 20_000

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
  names: `if(root_rank <= ${RootRank.UnknownParent}, name, '')`,
  builds: 'toString(build_id)',
  sessions: 'session_id',
  users: 'user_id',
  models: 'toString(model)',
  cost_sources: 'toString(cost_source)',
  with_input: `input != ''`,
  with_output: `output != ''`,
  ...Object.fromEntries(USAGE_AMOUNTS.map((column) => [column, `toString(${column})`])),
}

/**
 * Reads the spans of traces; a list for each trace, with all copies of a span. Returns undefined if
 * there are too many.
 */
export async function readRunSpans(
  reader: TraceReader,
  selection: SpanSelection,
  parameters: QueryParameters,
): Promise<readonly (readonly RunSpan[])[] | undefined> {
  const selected = Object.entries(COLUMNS).map(([name, value]) => `${value} AS one_of_${name}`)
  const lists = Object.keys(COLUMNS).map((name) => `groupArray(one_of_${name}) AS ${name}`)
  const sql = `
    SELECT ${lists.join(', ')}
    FROM (
      SELECT ${selected.join(', ')}
      ${fromSpans([], 'none', selection)}
      LIMIT ${MAX_SPANS + 1}
    )`
  const [row] = await queryRows(reader, sql, parameters)
  const spans = toSpans(row ?? {})
  if (spans.length > MAX_SPANS) return undefined
  return [...Map.groupBy(spans, ({ traceId }) => traceId).values()]
}

/** A span without its texts. */
export interface RunSpan extends UsageSpan, RootSpan {
  readonly traceId: string
  readonly durationNs: bigint
  readonly isError: boolean
  readonly isFailedRun: boolean
  readonly firstTokenNs: bigint
  /** Empty for a span that can't be the root. */
  readonly name: string
  readonly buildId: string
  readonly sessionId: string
  readonly userId: string
  readonly model: string
  readonly costSource: string
  readonly hasInput: boolean
  readonly hasOutput: boolean
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
      name: text('names'),
      buildId: text('builds'),
      sessionId: text('sessions'),
      userId: text('users'),
      model: text('models'),
      costSource: text('cost_sources'),
      hasInput: number('with_input') > 0,
      hasOutput: number('with_output') > 0,
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
export function withoutCopies(copies: readonly RunSpan[]): readonly RunSpan[] {
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
