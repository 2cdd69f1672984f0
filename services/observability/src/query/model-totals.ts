import type { Totals } from '../domain/totals.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { groupKey, readGroupNames } from './group-names.ts'
import { bigintOf, numberOf, queryRows, textOf } from './query-rows.ts'
import { fromSpans } from './spans-sql.ts'
import { toTotals, TOTALS } from './totals-sql.ts'
import { IN_RANGE, scopeParameters, type TraceScope } from './traces-sql.ts'
import { IS_MODEL_CALL } from './usage-sql.ts'

const COLUMNS = [
  'type',
  'model',
  'duration_ns',
  'is_error',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cost_nano_usd',
  'first_token_ns',
  'response_key',
]

/** All calls of models in the range, also those that others report again. */
const REPORTED = `
  SELECT * ${fromSpans(COLUMNS, 'all', {
    tails: undefined,
    when: `${IN_RANGE} AND ${IS_MODEL_CALL}`,
  })}`

/** The calls that are not inside of another one, and of those with the same response the first. */
const CALLS = `
  SELECT model, start_time, duration_ns * 2 + is_error AS root_facts, 0 AS has_failed_run,
    toUInt128(input_tokens) AS input_token_sum, toUInt128(output_tokens) AS output_token_sum,
    toUInt128(if(input_tokens + output_tokens > 0, cached_tokens, 0)) AS cached_token_sum,
    toUInt128(cost_nano_usd) AS cost_sum,
    toUInt128(first_token_ns) AS first_token_sum, first_token_ns > 0 AS first_token_count
  FROM (${REPORTED})
  WHERE (trace_id, parent_span_id) NOT IN (SELECT trace_id, span_id FROM (${REPORTED}))
  ORDER BY start_time, span_id
  LIMIT 1 BY trace_id, if(response_key = 0, reinterpretAsUInt64(span_id), response_key)`

/** The models of the calls in the range that have totals; the others are the rest. */
export async function readModelNames(
  reader: TraceReader,
  scope: TraceScope,
): Promise<readonly string[]> {
  return await readGroupNames(reader, scope, { column: 'model', condition: IS_MODEL_CALL })
}

/** Returns the totals of the calls of models in the range by model; see `groupKey` for the keys. */
export async function sumCallsByModel(
  reader: TraceReader,
  scope: TraceScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, Totals>> {
  const totals = Object.entries(TOTALS).map(([name, expression]) => `${expression} AS ${name}`)
  const sql = `
    SELECT ${groupKey('model')} AS key, arraySort(groupArray(root_facts)) AS sorted_facts,
      ${totals.join(', ')}
    FROM (${CALLS})
    GROUP BY key`
  const rows = await queryRows(reader, sql, { ...scopeParameters(scope), names })
  return new Map(rows.map((row) => [textOf(row, 'key'), toTotals(row)]))
}

/** The calls of a model in an interval. */
export interface ModelInterval {
  /** See `groupKey`. */
  readonly key: string
  /** The number of the interval since 1970. */
  readonly interval: number
  readonly count: number
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly costNanoUsd: bigint
}

/** Returns the calls of models in the range by model and interval, in the order of intervals. */
export async function sumCallsByModelAndInterval(
  reader: TraceReader,
  scope: TraceScope,
  names: readonly string[],
  intervalNs: bigint,
): Promise<readonly ModelInterval[]> {
  const sql = `
    SELECT ${groupKey('model')} AS key,
      intDiv(toUnixTimestamp64Nano(start_time), {intervalNs:Int64}) AS interval,
      count() AS calls, toString(sum(input_token_sum)) AS input_tokens,
      toString(sum(output_token_sum)) AS output_tokens, toString(sum(cost_sum)) AS costs
    FROM (${CALLS})
    GROUP BY key, interval
    ORDER BY interval`
  const parameters = { ...scopeParameters(scope), names, intervalNs }
  return (await queryRows(reader, sql, parameters)).map((row) => ({
    key: textOf(row, 'key'),
    interval: numberOf(row, 'interval'),
    count: numberOf(row, 'calls'),
    inputTokens: bigintOf(row, 'input_tokens'),
    outputTokens: bigintOf(row, 'output_tokens'),
    costNanoUsd: bigintOf(row, 'costs'),
  }))
}
