import type { TraceReader } from '../store/trace-store.ts'
import { bigintOf, listOf, numberOf, type Row } from './query-rows.ts'
import { runTraceQuery } from './run-trace-query.ts'
import {
  DIAGNOSTICS,
  DIAGNOSTICS_OF_GROUPS,
  scopeParameters,
  tracesSql,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

/** The exact totals of a set of traces. */
export interface TraceTotals {
  readonly count: number
  readonly errorCount: number
  readonly durationSumNs: bigint
  /** The 95th percentile by nearest rank; 0 if there are no traces. */
  readonly p95Ns: bigint
  readonly inputTokens: bigint
  readonly outputTokens: bigint
}

/** The totals of an empty set of traces. */
export const NO_TRACES: TraceTotals = {
  count: 0,
  errorCount: 0,
  durationSumNs: 0n,
  p95Ns: 0n,
  inputTokens: 0n,
  outputTokens: 0n,
}

/** Returns the totals of all traces of a scope. */
export async function sumTraces(reader: TraceReader, scope: TraceScope): Promise<TraceTotals> {
  const buckets = await groupTraces(reader, scope, '0', {})
  return buckets.get(0) ?? NO_TRACES
}

/**
 * Returns the totals of a scope by bucket; bucket n contains the traces that started in the n-th
 * interval since 1970. Empty buckets are omitted.
 */
export async function sumTracesByInterval(
  reader: TraceReader,
  scope: TraceScope,
  intervalNs: bigint,
): Promise<ReadonlyMap<number, TraceTotals>> {
  const bucket = 'intDiv(root_start, {intervalNs:Int64})'
  return await groupTraces(reader, scope, bucket, { intervalNs })
}

async function groupTraces(
  reader: TraceReader,
  scope: TraceScope,
  bucket: string,
  parameters: Readonly<Record<string, bigint>>,
): Promise<ReadonlyMap<number, TraceTotals>> {
  const sql = (precautions: Precautions) => totalsSql(bucket, scope, precautions)
  const row = await runTraceQuery(reader, sql, { ...scopeParameters(scope), ...parameters })
  const buckets = listOf(row, 'buckets').map((number) => Number(number))
  return new Map(buckets.map((number, index) => [number, toTotals(row, index)]))
}

/** The aggregates of each bucket. Numbers that may exceed 2^53 are strings. */
const TOTALS = {
  trace_counts: 'count()',
  error_counts: 'countIf(root_facts % 2 = 1 OR has_failed_run)',
  duration_sums: 'toString(sum(toUInt128(intDiv(root_facts, 2))))',
  p95s: 'toString(intDiv(arraySort(groupArray(root_facts))[intDiv(count() * 95 + 99, 100)], 2))',
  input_tokens: 'toString(sum(input_token_sum))',
  output_tokens: 'toString(sum(output_token_sum))',
}

const COLUMNS = {
  // Each column of the root requires a separate aggregate, so one number combines both. It doesn't
  // overflow: no span takes half of the 584 years that fit into 64 bits.
  root: { root_facts: 'duration_ns * 2 + is_error' },
  sums: {
    input_token_sum: 'sum(toUInt128(input_tokens))',
    output_token_sum: 'sum(toUInt128(output_tokens))',
    has_failed_run: 'max(is_failed_run)',
  },
  columns: ['duration_ns', 'is_error', 'is_failed_run', 'input_tokens', 'output_tokens'],
}

/**
 * Returns a query whose single row has a list for each of TOTALS. Traces that aren't listed are in
 * a group that the lists omit but the diagnostics include.
 */
function totalsSql(bucket: string, scope: TraceScope, precautions: Precautions): string {
  const totals = Object.entries(TOTALS)
  return `
    SELECT ${DIAGNOSTICS_OF_GROUPS}, groupArrayIf(bucket, bucket >= 0) AS buckets,
      ${totals.map(([name]) => `groupArrayIf(${name}, bucket >= 0) AS ${name}`).join(',\n')}
    FROM (
      SELECT ${DIAGNOSTICS}, if(is_listed, ${bucket}, -1) AS bucket,
        ${totals.map(([name, expression]) => `${expression} AS ${name}`).join(',\n')}
      FROM (${tracesSql(COLUMNS, scope, precautions)})
      GROUP BY bucket
    )`
}

function toTotals(row: Row, index: number): TraceTotals {
  const values = Object.fromEntries(
    Object.keys(TOTALS).map((name) => [name, listOf(row, name)[index]]),
  )
  return {
    count: numberOf(values, 'trace_counts'),
    errorCount: numberOf(values, 'error_counts'),
    durationSumNs: bigintOf(values, 'duration_sums'),
    p95Ns: bigintOf(values, 'p95s'),
    inputTokens: bigintOf(values, 'input_tokens'),
    outputTokens: bigintOf(values, 'output_tokens'),
  }
}
