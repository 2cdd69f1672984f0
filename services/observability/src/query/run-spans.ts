import { RootRank } from '../domain/span.ts'
import type { RootSpan } from '../domain/trace-tree.ts'
import type { UsageSpan } from '../domain/trace-usage.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { listOf, queryRows } from './query-rows.ts'
import { fromSpans, type SpanSelection } from './spans-sql.ts'

/** Reading more spans one by one would take longer than a query of groups. */
const MAX_SPANS = 10_000

/** The columns of a span, as SQL. */
const COLUMNS = {
  trace: 'lower(hex(trace_id))',
  span: 'lower(hex(span_id))',
  parent: 'lower(hex(parent_span_id))',
  start: 'toUnixTimestamp64Nano(start_time)',
  root_rank: 'root_rank',
  version: 'version',
  duration: 'duration_ns',
  is_error: 'is_error',
  is_failed_run: 'is_failed_run',
  first_token: 'first_token_ns',
  type: 'type',
  response_key: 'response_key',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  total_input_tokens: 'total_input_tokens',
  total_output_tokens: 'total_output_tokens',
  cached_tokens: 'cached_tokens',
  reasoning_tokens: 'reasoning_tokens',
  cost: 'cost_nano_usd',
  total_cost: 'total_cost_nano_usd',
  cost_source: 'cost_source',
  name: `if(root_rank <= ${RootRank.UnknownParent}, name, '')`,
  build: 'build_id',
  session: 'session_id',
  user: 'user_id',
  model: 'model',
  has_input: `input != ''`,
  has_output: `output != ''`,
} as const

/**
 * Reads the spans of traces; a list for each trace, with all copies of a span. Returns undefined if
 * there are too many.
 */
export async function readRunSpans(
  reader: TraceReader,
  selection: SpanSelection,
  parameters: QueryParameters,
): Promise<readonly (readonly RunSpan[])[] | undefined> {
  const sql = `
    SELECT (${Object.values(COLUMNS).join(', ')}) AS span
    ${fromSpans([], 'none', selection)}
    LIMIT ${MAX_SPANS + 1}`
  const rows = await queryRows(reader, sql, parameters)
  if (rows.length > MAX_SPANS) return undefined
  const spans = rows.map((row) => toSpan(listOf(row, 'span')))
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

/** The place of each column in a row. */
const INDEXES = Object.fromEntries(
  Object.keys(COLUMNS).map((name, index) => [name, index]),
) as Record<keyof typeof COLUMNS, number>

function toSpan(values: readonly unknown[]): RunSpan {
  const valueOf = (name: keyof typeof COLUMNS) => values[INDEXES[name]]
  const text = (name: keyof typeof COLUMNS) => String(valueOf(name))
  const amount = (name: keyof typeof COLUMNS) => toBigInt(text(name))
  const number = (name: keyof typeof COLUMNS) => Number(valueOf(name))
  return {
    traceId: text('trace'),
    spanId: text('span'),
    parentSpanId: text('parent'),
    startTimeNs: BigInt(text('start')),
    rootRank: number('root_rank'),
    version: number('version'),
    hasParent: false,
    durationNs: amount('duration'),
    isError: number('is_error') > 0,
    isFailedRun: number('is_failed_run') > 0,
    firstTokenNs: amount('first_token'),
    type: text('type'),
    responseKey: text('response_key'),
    name: text('name'),
    buildId: text('build'),
    sessionId: text('session'),
    userId: text('user'),
    model: text('model'),
    costSource: text('cost_source'),
    hasInput: number('has_input') > 0,
    hasOutput: number('has_output') > 0,
    inputTokens: amount('input_tokens'),
    outputTokens: amount('output_tokens'),
    totalInputTokens: amount('total_input_tokens'),
    totalOutputTokens: amount('total_output_tokens'),
    cachedTokens: amount('cached_tokens'),
    reasoningTokens: amount('reasoning_tokens'),
    costNanoUsd: amount('cost'),
    totalCostNanoUsd: amount('total_cost'),
  }
}

/** Most amounts are 0. */
function toBigInt(digits: string): bigint {
  return digits === '0' ? 0n : BigInt(digits)
}

/** Keeps the newest copy of each span of a trace, and notes which parents are stored. */
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
