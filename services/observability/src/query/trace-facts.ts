import { MODEL_TYPES } from '../domain/trace-facts.ts'
import type { TraceUsage } from '../domain/trace-usage.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { firstOf } from './filter-sql.ts'
import { bigintOf, listOf, numberOf, textOf, type Row } from './query-rows.ts'
import { readUsage } from './read-usage.ts'
import { traceTail } from './spans-sql.ts'
import { MISCOUNTS, REPORTED_USAGE, USAGE_COLUMNS } from './usage-sql.ts'

/** What all spans of a trace show about it. */
export interface TraceFacts {
  /** The build of the root span. */
  readonly buildId: string
  /** Those of the first span in time that has one; empty if there is none. */
  readonly sessionId: string
  readonly userId: string
  /** At most 16, sorted. */
  readonly models: readonly string[]
  readonly usage: TraceUsage
  /** `prices` if the cost of any span is an estimate; empty if no cost is known. */
  readonly costSource: string
  readonly spanCount: number
  readonly errorSpanCount: number
}

/** Maximum number of models of a trace in a list. */
export const MAX_MODELS = 16
const IS_MODEL = `model != '' AND type IN (${MODEL_TYPES.map((type) => `'${type}'`).join(', ')})`

/** The columns that FACTS reads. */
export const FACT_COLUMNS = [
  'build_id',
  'session_id',
  'user_id',
  'model',
  'is_error',
  'cost_source',
  ...USAGE_COLUMNS,
] as const

/** Aggregates over the spans of a trace. `is_root` marks its root. */
export const FACTS = `
  anyIf(build_id, is_root) AS root_build_id,
  ${firstOf('session_id')} AS session,
  ${firstOf('user_id')} AS user,
  arraySort(groupUniqArrayIf(${MAX_MODELS})(toString(model), ${IS_MODEL})) AS models,
  multiIf(
    countIf(cost_source = 'base_prices') > 0, 'base_prices',
    countIf(cost_source = 'prices') > 0, 'prices',
    countIf(cost_source = 'sender') > 0, 'sender',
    ''
  ) AS trace_cost_source,
  count() AS span_count,
  countIf(is_error) AS error_span_count,
  ${Object.entries(REPORTED_USAGE)
    .map(([name, sum]) => `toString(${sum}) AS ${name}`)
    .join(', ')},
  ${MISCOUNTS} AS is_miscounted`

/** Returns the facts of traces from rows with their id in `trace`, and FACTS. */
export async function toFacts(
  reader: TraceReader,
  owner: TracedAgent,
  rows: readonly Row[],
): Promise<readonly TraceFacts[]> {
  const miscounted = rows.filter((row) => numberOf(row, 'is_miscounted') > 0)
  const tails = miscounted.map((row) => traceTail(textOf(row, 'trace')))
  const { usage } = await readUsage(reader, owner, tails)
  return rows.map((row) => ({
    buildId: textOf(row, 'root_build_id'),
    sessionId: textOf(row, 'session'),
    userId: textOf(row, 'user'),
    models: listOf(row, 'models').map(String),
    usage: usage.get(textOf(row, 'trace')) ?? toUsage(row),
    costSource: textOf(row, 'trace_cost_source'),
    spanCount: numberOf(row, 'span_count'),
    errorSpanCount: numberOf(row, 'error_span_count'),
  }))
}

function toUsage(row: Row): TraceUsage {
  return {
    inputTokens: bigintOf(row, 'input_token_sum'),
    outputTokens: bigintOf(row, 'output_token_sum'),
    cachedTokens: bigintOf(row, 'cached_token_sum'),
    reasoningTokens: bigintOf(row, 'reasoning_token_sum'),
    costNanoUsd: bigintOf(row, 'cost_sum'),
  }
}
