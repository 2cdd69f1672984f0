import type { QueryLimits, TraceStore } from '../store/trace-store.ts'
import { bigintOf, nonsense, numberOf, type Row } from './row.ts'
import { runTraceQuery } from './run-trace-query.ts'
import { DIAGNOSTICS, scopeParameters, traces, type Precautions, type TraceScope } from './traces-sql.ts'

/** What some traces come to, exactly. */
export interface TraceTotals {
  readonly count: number
  readonly errorCount: number
  readonly durationSumNs: bigint
  /** 95th percentile by nearest rank; 0 without traces. */
  readonly p95Ns: bigint
  readonly inputTokens: bigint
  readonly outputTokens: bigint
}

/** Totals of no traces. */
export const NO_TRACES: TraceTotals = {
  count: 0,
  errorCount: 0,
  durationSumNs: 0n,
  p95Ns: 0n,
  inputTokens: 0n,
  outputTokens: 0n,
}

/** Totals of all traces of the scope. */
export async function sumTraces(store: TraceStore, scope: TraceScope, limits: QueryLimits): Promise<TraceTotals> {
  const buckets = await groupTraces(store, scope, '0', {}, limits)
  return buckets.get(0) ?? NO_TRACES
}

/** Totals by bucket: those of the traces that began in the n-th interval since 1970. Empty buckets are left out. */
export async function sumTracesByInterval(
  store: TraceStore,
  scope: TraceScope,
  intervalNs: bigint,
  limits: QueryLimits,
): Promise<ReadonlyMap<number, TraceTotals>> {
  const bucket = 'intDiv(toUnixTimestamp64Nano(root_start), {intervalNs:Int64})'
  return await groupTraces(store, scope, bucket, { intervalNs }, limits)
}

async function groupTraces(
  store: TraceStore,
  scope: TraceScope,
  bucket: string,
  parameters: Readonly<Record<string, bigint>>,
  limits: QueryLimits,
): Promise<ReadonlyMap<number, TraceTotals>> {
  const sql = (precautions: Precautions) => totalsSql(bucket, precautions)
  const rows = await runTraceQuery(store, sql, { ...scopeParameters(scope), ...parameters }, limits)
  if (!rows.some((row) => numberOf(row, 'bucket') === LAST_ROW)) throw nonsense('no last row')
  return new Map(
    rows.filter((row) => numberOf(row, 'bucket') >= 0).map((row) => [numberOf(row, 'bucket'), toTotals(row)]),
  )
}

/** A row that is always there, so that no traces can be told from no answer. */
const LAST_ROW = -2

/** Traces that aren't listed make a group of their own, so that what they tell about the answer isn't lost. */
function totalsSql(bucket: string, precautions: Precautions): string {
  const rows = traces(
    ['duration_ns', 'is_error'],
    { input_token_sum: 'sum(toUInt128(input_tokens))', output_token_sum: 'sum(toUInt128(output_tokens))' },
    ['input_tokens', 'output_tokens'],
    precautions,
  )
  const groups = `
    SELECT ${DIAGNOSTICS},
      if(is_listed, ${bucket}, -1) AS bucket,
      count() AS trace_count,
      countIf(root_is_error = 1) AS error_count,
      toString(sum(toUInt128(root_duration_ns))) AS duration_sum,
      toString(arraySort(groupArray(root_duration_ns))[intDiv(trace_count * 95 + 99, 100)]) AS p95,
      toString(sum(input_token_sum)) AS input_tokens,
      toString(sum(output_token_sum)) AS output_tokens
    FROM (${rows})
    GROUP BY bucket`
  return `SELECT * FROM (${groups} UNION ALL SELECT 0, 0, ${LAST_ROW}, 0, 0, '0', '0', '0', '0')`
}

function toTotals(row: Row): TraceTotals {
  return {
    count: numberOf(row, 'trace_count'),
    errorCount: numberOf(row, 'error_count'),
    durationSumNs: bigintOf(row, 'duration_sum'),
    p95Ns: bigintOf(row, 'p95'),
    inputTokens: bigintOf(row, 'input_tokens'),
    outputTokens: bigintOf(row, 'output_tokens'),
  }
}
