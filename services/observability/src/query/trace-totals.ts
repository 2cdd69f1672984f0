import type { TraceReader } from '../store/trace-store.ts'
import { bigintOf, listOf, numberOf, type Row } from './row.ts'
import { runTraceQuery } from './run-trace-query.ts'
import {
  DIAGNOSTICS,
  DIAGNOSTICS_OF_GROUPS,
  scopeParameters,
  traces,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

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
export async function sumTraces(reader: TraceReader, scope: TraceScope): Promise<TraceTotals> {
  const buckets = await groupTraces(reader, scope, '0', {})
  return buckets.get(0) ?? NO_TRACES
}

/**
 * Totals by bucket: those of the traces that began in the n-th interval since 1970. Empty buckets
 * are left out.
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

/** What is worked out for each bucket; numbers that may be beyond 2^53 as text. */
const TOTALS = {
  trace_counts: 'count()',
  error_counts: 'countIf(root_facts % 2 = 1)',
  duration_sums: 'toString(sum(toUInt128(intDiv(root_facts, 2))))',
  p95s: 'toString(intDiv(arraySort(groupArray(root_facts))[intDiv(count() * 95 + 99, 100)], 2))',
  input_tokens: 'toString(sum(input_token_sum))',
  output_tokens: 'toString(sum(output_token_sum))',
}

const COLUMNS = {
  // One number for both, since each column of the root is found on its own. No span takes half of
  // the 584 years there are.
  root: { root_facts: 'duration_ns * 2 + is_error' },
  sums: {
    input_token_sum: 'sum(toUInt128(input_tokens))',
    output_token_sum: 'sum(toUInt128(output_tokens))',
  },
  columns: ['duration_ns', 'is_error', 'input_tokens', 'output_tokens'],
}

/**
 * One row with a list for each of TOTALS. Traces that aren't listed make a group of their own,
 * which is left out of the lists, but what it tells about the answer isn't lost.
 */
function totalsSql(bucket: string, scope: TraceScope, precautions: Precautions): string {
  const totals = Object.entries(TOTALS)
  return `
    SELECT ${DIAGNOSTICS_OF_GROUPS}, groupArrayIf(bucket, bucket >= 0) AS buckets,
      ${totals.map(([name]) => `groupArrayIf(${name}, bucket >= 0) AS ${name}`).join(',\n')}
    FROM (
      SELECT ${DIAGNOSTICS}, if(is_listed, ${bucket}, -1) AS bucket,
        ${totals.map(([name, expression]) => `${expression} AS ${name}`).join(',\n')}
      FROM (${traces(COLUMNS, scope, precautions)})
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
