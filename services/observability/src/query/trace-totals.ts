import { HOUR_NS } from '../domain/hours.ts'
import type { PartialTotals, Totals } from '../domain/totals.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { groupKey } from './group-names.ts'
import { listOf, type Row } from './query-rows.ts'
import { runTraceQuery } from './run-trace-query.ts'
import { SUMS, toSums, toTotals, TOTALS } from './totals-sql.ts'
import {
  DIAGNOSTIC_COLUMNS,
  DIAGNOSTICS,
  DIAGNOSTICS_OF_GROUPS,
  tracesSql,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

/** Totals by key. */
export interface GroupedTotals<Key, Group = Totals> {
  /** Keys without requests are omitted. */
  readonly totals: ReadonlyMap<Key, Group>
  /** Whether tokens are estimated; see TraceResult. */
  readonly isEstimate: boolean
}

/** Returns the totals of the traces of a scope by the hour in which they started. */
export async function sumTracesByHour(
  reader: TraceReader,
  scope: TraceScope,
): Promise<GroupedTotals<number, PartialTotals>> {
  const columns = { ...SUMS, durations: 'arrayMap(facts -> intDiv(facts, 2), sorted_facts)' }
  const { totals, isEstimate } = await groupTraces(reader, scope, {
    ...intervalKey(HOUR_NS),
    columns,
    toGroup: (row) => ({
      ...toSums(row),
      durations: toNumbers(listOf(row, 'durations')),
    }),
  })
  return { totals: byNumber(totals), isEstimate }
}

/** `Float64Array.from` takes several times longer. */
function toNumbers(values: readonly unknown[]): Float64Array {
  const numbers = new Float64Array(values.length)
  for (let index = 0; index < values.length; index += 1) numbers[index] = Number(values[index])
  return numbers
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
  const key = intervalKey(intervalNs)
  const { totals, isEstimate } = await groupTraces(reader, scope, { ...key, ...WITH_PERCENTILES })
  return { totals: byNumber(totals), isEstimate }
}

/** Returns the totals of a scope by the build of the root span; see `groupKey` for the keys. */
export async function sumTracesByBuild(
  reader: TraceReader,
  scope: TraceScope,
  names: readonly string[],
): Promise<GroupedTotals<string>> {
  return await groupTraces(reader, scope, {
    expression: groupKey('root_build_id'),
    none: `'-'`,
    root: { root_build_id: 'build_id' },
    parameters: { names },
    ...WITH_PERCENTILES,
  })
}

const WITH_PERCENTILES = { columns: TOTALS, toGroup: toTotals }

function intervalKey(intervalNs: bigint) {
  const expression = 'intDiv(root_start, {intervalNs:Int64})'
  return { expression, none: '-1', parameters: { intervalNs } }
}

function byNumber<Group>(totals: ReadonlyMap<string, Group>): ReadonlyMap<number, Group> {
  return new Map([...totals].map(([key, group]) => [Number(key), group]))
}

/** What traces are grouped by, and what is read of each group. */
interface Grouping<Group> {
  readonly expression: string
  /** The key of traces that aren't listed. */
  readonly none: string
  /** The columns of the root that the expression needs. */
  readonly root?: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, bigint | readonly string[]>>
  /** Aggregates by name. */
  readonly columns: Readonly<Record<string, string>>
  /** Converts a row with the columns. */
  readonly toGroup: (row: Row) => Group
}

async function groupTraces<Group>(
  reader: TraceReader,
  scope: TraceScope,
  grouping: Grouping<Group>,
): Promise<GroupedTotals<string, Group>> {
  const { parameters, columns, toGroup } = grouping
  const sql = (precautions: Precautions) => totalsSql(grouping, scope, precautions)
  const { row, isEstimate } = await runTraceQuery(reader, scope, { sql, parameters })
  const groupAt = (index: number) =>
    toGroup(
      Object.fromEntries(Object.keys(columns).map((name) => [name, listOf(row, name)[index]])),
    )
  const keys = listOf(row, 'keys').map(String)
  return { totals: new Map(keys.map((key, index) => [key, groupAt(index)])), isEstimate }
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
 * Returns a query whose single row has a list for each of the columns. Traces that aren't listed
 * are in a group that the lists omit but the diagnostics include.
 */
function totalsSql(
  { expression, none, root, columns }: Omit<Grouping<unknown>, 'toGroup'>,
  scope: TraceScope,
  precautions: Precautions,
): string {
  const totals = Object.entries(columns)
  const read = {
    ...COLUMNS,
    root: { ...COLUMNS.root, ...root },
    columns: [...COLUMNS.columns, ...Object.values(root ?? {})],
  }
  const isShown = `key != ${none}`
  return `
    SELECT ${DIAGNOSTIC_COLUMNS}, arrayMap(key -> toString(key), shown_keys) AS keys,
      ${totals.map(([name]) => name).join(', ')}
    FROM (
      SELECT ${DIAGNOSTICS_OF_GROUPS}, groupArrayIf(key, ${isShown}) AS shown_keys,
        ${totals.map(([name]) => `groupArrayIf(${name}, ${isShown}) AS ${name}`).join(',\n')}
      FROM (
        SELECT ${DIAGNOSTICS}, if(is_listed, ${expression}, ${none}) AS key,
          arraySort(groupArray(root_facts)) AS sorted_facts,
          ${totals.map(([name, sum]) => `${sum} AS ${name}`).join(',\n')}
        FROM (${tracesSql(read, scope, precautions)})
        GROUP BY key
      )
    )`
}
