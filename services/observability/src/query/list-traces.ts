import type { Page } from '../domain/trace-range.ts'
import type { QueryLimits, TraceStore } from '../store/trace-store.ts'
import { readPageTexts } from './page-texts.ts'
import { bigintOf, listOf, numberOf, textOf, type Row } from './row.ts'
import { runTraceQuery } from './run-trace-query.ts'
import { DIAGNOSTICS, scopeParameters, traces, type Precautions, type TraceScope } from './traces-sql.ts'

/** Which traces of the scope are wanted; what is undefined doesn't matter. */
export interface TraceFilter {
  readonly isError: boolean | undefined
  readonly buildId: string | undefined
  /** Text that stands, in whatever case, in the name, input or output of one of its spans. */
  readonly text: string | undefined
}

/** A trace in a list. */
export interface ListedTrace {
  readonly traceId: string
  readonly name: string
  readonly isError: boolean
  readonly startTimeNs: bigint
  readonly durationNs: bigint
  readonly input: string
  readonly output: string
}

/** A page of traces, newest first, ties by trace id; and how many there are in all. */
export async function listTraces(
  store: TraceStore,
  scope: TraceScope,
  { filter, page }: { filter: TraceFilter; page: Page },
  limits: QueryLimits,
): Promise<{ traces: readonly ListedTrace[]; total: number }> {
  const parameters = {
    ...scopeParameters(scope),
    buildId: filter.buildId ?? '',
    text: filter.text ?? '',
    first: page.offset + 1,
    limit: page.limit,
    last: page.offset + page.limit,
  }
  const row = await runTraceQuery(store, (precautions) => pageSql(filter, precautions), parameters, limits)
  const entries = readPage(row)
  const times = { firstStartNs: bigintOf(row, 'page_first'), lastStartNs: bigintOf(row, 'page_last') }
  const texts = await readPageTexts(store, scope, { roots: entries, ...times }, limits)
  return {
    total: numberOf(row, 'total'),
    traces: entries.map((entry) => ({ input: '', output: '', ...entry, ...texts.get(entry.traceId) })),
  }
}

/** What a page needs of each of its traces; texts are read for the page alone. */
const ENTRY = [
  'toUnixTimestamp64Nano(root_start)',
  'trace_id',
  'root_span_id',
  'root_duration_ns',
  'root_is_error',
  'root_name',
  'toUnixTimestamp64Nano(first_start)',
  'toUnixTimestamp64Nano(last_start)',
]

function pageSql(filter: TraceFilter, precautions: Precautions): string {
  const conditions = ['is_listed']
  if (filter.isError !== undefined) conditions.push(`root_is_error = ${filter.isError ? 1 : 0}`)
  if (filter.buildId !== undefined) conditions.push('root_build_id = {buildId:String}')
  if (filter.text !== undefined) conditions.push('hits > 0')
  const isMatch = conditions.join(' AND ')
  const columns = {
    root: ['span_id', 'duration_ns', 'is_error', 'name', ...(filter.buildId === undefined ? [] : ['build_id'])],
    sums: {
      first_start: 'min(start_time)',
      last_start: 'max(start_time)',
      ...(filter.text === undefined ? {} : { hits: `countIf(${SEARCHED.map(contains).join(' OR ')})` }),
    },
    summed: filter.text === undefined ? [] : SEARCHED,
  }
  const sorted = `arrayPartialSort(entry -> (-entry.1, entry.2), {last:UInt32}, groupArrayIf((${ENTRY.join(', ')}), ${isMatch}))`
  return `
    SELECT is_duplicated, is_unsettled, total,
      arrayMap(entry -> toString(entry.1), page) AS starts,
      arrayMap(entry -> lower(hex(entry.2)), page) AS trace_ids,
      arrayMap(entry -> lower(hex(entry.3)), page) AS span_ids,
      arrayMap(entry -> toString(entry.4), page) AS durations,
      arrayMap(entry -> entry.5, page) AS errors,
      arrayMap(entry -> entry.6, page) AS names,
      toString(arrayMin(entry -> entry.7, page)) AS page_first,
      toString(arrayMax(entry -> entry.8, page)) AS page_last
    FROM (
      SELECT ${DIAGNOSTICS}, countIf(${isMatch}) AS total, arraySlice(${sorted}, {first:UInt32}, {limit:UInt32}) AS page
      FROM (${traces(columns, precautions)})
    )`
}

const SEARCHED = ['name', 'input', 'output']

function contains(column: string): string {
  return `positionCaseInsensitiveUTF8(${column}, {text:String}) > 0`
}

interface PageEntry extends Omit<ListedTrace, 'input' | 'output'> {
  readonly rootSpanId: string
}

function readPage(row: Row): readonly PageEntry[] {
  const columns = ['trace_ids', 'span_ids', 'starts', 'durations', 'errors', 'names']
  const lists = new Map(columns.map((name) => [name, listOf(row, name)]))
  return listOf(row, 'trace_ids').map((_, index) => {
    const entry = Object.fromEntries(columns.map((name) => [name, lists.get(name)?.[index]]))
    return {
      traceId: textOf(entry, 'trace_ids'),
      rootSpanId: textOf(entry, 'span_ids'),
      startTimeNs: bigintOf(entry, 'starts'),
      durationNs: bigintOf(entry, 'durations'),
      isError: numberOf(entry, 'errors') > 0,
      name: textOf(entry, 'names'),
    }
  })
}
