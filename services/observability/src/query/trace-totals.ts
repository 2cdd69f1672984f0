import type { TraceReader } from '../store/trace-store.ts'
import { groupKey } from './group-names.ts'
import { listOf, type Row } from './query-rows.ts'
import { runTraceQuery } from './run-trace-query.ts'
import { NO_REQUESTS, toTotals, TOTALS, type Totals } from './totals-sql.ts'
import {
  DIAGNOSTIC_COLUMNS,
  DIAGNOSTICS,
  DIAGNOSTICS_OF_GROUPS,
  tracesSql,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

/** Totals by key. */
export interface GroupedTotals<Key> {
  /** Keys without requests are omitted. */
  readonly totals: ReadonlyMap<Key, Totals>
  /** Whether tokens are estimated; see TraceResult. */
  readonly isEstimate: boolean
}

/** Returns the totals of all traces of a scope. */
export async function sumTraces(
  reader: TraceReader,
  scope: TraceScope,
): Promise<{ totals: Totals; isEstimate: boolean }> {
  const { totals, isEstimate } = await groupTraces(reader, scope, { expression: '0', none: '-1' })
  return { totals: totals.get('0') ?? NO_REQUESTS, isEstimate }
}

/**
 * Returns the totals of a scope by bucket; bucket n contains the traces that started in the n-th
 * interval since 1970.
 */
export async function sumTracesByInterval(
  reader: TraceReader,
  scope: TraceScope,
  intervalNs: bigint,
): Promise<GroupedTotals<number>> {
  const key = { expression: 'intDiv(root_start, {intervalNs:Int64})', none: '-1' }
  const { totals, isEstimate } = await groupTraces(reader, scope, key, { intervalNs })
  return {
    totals: new Map([...totals].map(([bucket, each]) => [Number(bucket), each])),
    isEstimate,
  }
}

/** Returns the totals of a scope by the build of the root span; see `groupKey` for the keys. */
export async function sumTracesByBuild(
  reader: TraceReader,
  scope: TraceScope,
  names: readonly string[],
): Promise<GroupedTotals<string>> {
  const root = { root_build_id: 'build_id' }
  const key = { expression: groupKey('root_build_id'), none: `'-'`, root }
  return await groupTraces(reader, scope, key, { names })
}

/** What traces are grouped by. */
interface GroupKey {
  readonly expression: string
  /** The key of traces that aren't listed. */
  readonly none: string
  /** The columns of the root that the expression needs. */
  readonly root?: Readonly<Record<string, string>>
}

async function groupTraces(
  reader: TraceReader,
  scope: TraceScope,
  key: GroupKey,
  parameters: Readonly<Record<string, bigint | readonly string[]>> = {},
): Promise<GroupedTotals<string>> {
  const sql = (precautions: Precautions) => totalsSql(key, scope, precautions)
  const { row, isEstimate } = await runTraceQuery(reader, scope, { sql, parameters })
  const keys = listOf(row, 'keys').map(String)
  return { totals: new Map(keys.map((name, index) => [name, totalsAt(row, index)])), isEstimate }
}

const COLUMNS = {
  // Each column of the root requires a separate aggregate, so one number combines both. It doesn't
  // overflow: no span takes half of the 584 years that fit into 64 bits.
  root: { root_facts: 'duration_ns * 2 + is_error' },
  sums: {
    has_failed_run: 'max(is_failed_run)',
    first_token_sum: 'sum(toUInt128(first_token_ns))',
    first_token_count: 'countIf(first_token_ns > 0)',
  },
  columns: ['duration_ns', 'is_error', 'is_failed_run', 'first_token_ns'],
  countsTokens: true,
}

/**
 * Returns a query whose single row has a list for each of TOTALS. Traces that aren't listed are in
 * a group that the lists omit but the diagnostics include.
 */
function totalsSql(key: GroupKey, scope: TraceScope, precautions: Precautions): string {
  const totals = Object.entries(TOTALS)
  const columns = {
    ...COLUMNS,
    root: { ...COLUMNS.root, ...key.root },
    columns: [...COLUMNS.columns, ...Object.values(key.root ?? {})],
  }
  const isShown = `key != ${key.none}`
  return `
    SELECT ${DIAGNOSTIC_COLUMNS}, arrayMap(key -> toString(key), shown_keys) AS keys,
      ${totals.map(([name]) => name).join(', ')}
    FROM (
      SELECT ${DIAGNOSTICS_OF_GROUPS}, groupArrayIf(key, ${isShown}) AS shown_keys,
        ${totals.map(([name]) => `groupArrayIf(${name}, ${isShown}) AS ${name}`).join(',\n')}
      FROM (
        SELECT ${DIAGNOSTICS}, if(is_listed, ${key.expression}, ${key.none}) AS key,
          arraySort(groupArray(root_facts)) AS sorted_facts,
          ${totals.map(([name, expression]) => `${expression} AS ${name}`).join(',\n')}
        FROM (${tracesSql(columns, scope, precautions)})
        GROUP BY key
      )
    )`
}

function totalsAt(row: Row, index: number): Totals {
  const columns = Object.keys(TOTALS).map((name) => [name, listOf(row, name)[index]])
  return toTotals(Object.fromEntries(columns) as Row)
}
