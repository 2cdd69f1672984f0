import type { Page } from '../domain/page.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { readPageDetails, type TraceDetails } from './page-details.ts'
import { bigintOf, listOf, numberOf, textOf, type Row } from './query-rows.ts'
import { runTraceQuery } from './run-trace-query.ts'
import {
  DIAGNOSTICS,
  scopeParameters,
  tracesSql,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

/** Conditions for the traces of a list; undefined ones match all traces. */
export interface TraceFilter {
  readonly isError: boolean | undefined
  readonly buildId: string | undefined
  /** Text in the name, input or output of one of its spans, ignoring case. */
  readonly text: string | undefined
}

/** A trace in a list. */
export interface ListedTrace extends TraceDetails {
  readonly traceId: string
  readonly startTimeNs: bigint
}

/** Returns a page of traces, newest first, ties by trace id, and the total of matching traces. */
export async function listTraces(
  reader: TraceReader,
  scope: TraceScope,
  { filter, page }: { filter: TraceFilter; page: Page },
): Promise<{ traces: readonly ListedTrace[]; total: number }> {
  const parameters = {
    ...scopeParameters(scope),
    buildId: filter.buildId ?? '',
    text: filter.text ?? '',
    first: page.offset + 1,
    limit: page.limit,
    last: page.offset + page.limit,
  }
  const row = await runTraceQuery(
    reader,
    (precautions) => pageSql(filter, scope, precautions),
    parameters,
  )
  const entries = readPage(row)
  const times = {
    firstStartNs: bigintOf(row, 'page_first'),
    lastStartNs: bigintOf(row, 'page_last'),
  }
  const details = await readPageDetails(reader, scope, { roots: entries, ...times })
  return {
    total: numberOf(row, 'total'),
    // If a trace has no details, it was deleted after the first query.
    traces: entries.flatMap(({ traceId, startTimeNs }) => {
      const detail = details.get(traceId)
      return detail === undefined ? [] : [{ traceId, startTimeNs, ...detail }]
    }),
  }
}

/**
 * The columns that the first query reads of each trace. The others are read only for the traces on
 * the page.
 */
const ENTRY = [
  'root_start',
  'reinterpretAsFixedString(trace)',
  'root_span',
  'first_start',
  'last_start',
]

function pageSql(filter: TraceFilter, scope: TraceScope, precautions: Precautions): string {
  const conditions = ['is_listed']
  if (filter.isError !== undefined)
    conditions.push(`(root_is_error OR has_failed_run) = ${filter.isError ? 1 : 0}`)
  if (filter.buildId !== undefined) conditions.push('root_build_id = {buildId:String}')
  if (filter.text !== undefined) conditions.push('hits > 0')
  const isMatch = conditions.join(' AND ')
  const filteredBy = [
    ...(filter.isError === undefined ? [] : ['is_error']),
    ...(filter.buildId === undefined ? [] : ['build_id']),
  ]
  const columns = {
    root: Object.fromEntries(filteredBy.map((column) => [`root_${column}`, column])),
    sums: {
      first_start: 'toUnixTimestamp64Nano(min(start_time))',
      last_start: 'toUnixTimestamp64Nano(max(start_time))',
      ...(filter.isError === undefined ? {} : { has_failed_run: 'max(is_failed_run)' }),
      ...(filter.text === undefined
        ? {}
        : { hits: `countIf(${SEARCHED.map(contains).join(' OR ')})` }),
    },
    columns: [
      ...filteredBy,
      ...(filter.isError === undefined ? [] : ['is_failed_run']),
      ...(filter.text === undefined ? [] : SEARCHED),
    ],
  }
  const entries = `groupArrayIf((${ENTRY.join(', ')}), ${isMatch})`
  const sorted = `arrayPartialSort(entry -> (-entry.1, entry.2), {last:UInt32}, ${entries})`
  return `
    SELECT duplicated_tails, is_unsettled, total,
      arrayMap(entry -> toString(entry.1), page) AS starts,
      arrayMap(entry -> lower(hex(entry.2)), page) AS trace_ids,
      arrayMap(entry -> leftPad(lower(hex(entry.3)), 16, '0'), page) AS span_ids,
      toString(arrayMin(entry -> entry.4, page)) AS page_first,
      toString(arrayMax(entry -> entry.5, page)) AS page_last
    FROM (
      SELECT ${DIAGNOSTICS}, countIf(${isMatch}) AS total,
        arraySlice(${sorted}, {first:UInt32}, {limit:UInt32}) AS page
      FROM (${tracesSql(columns, scope, precautions)})
    )`
}

const SEARCHED = ['name', 'input', 'output']

function contains(column: string): string {
  return `positionCaseInsensitiveUTF8(${column}, {text:String}) > 0`
}

interface PageEntry {
  readonly traceId: string
  readonly rootSpanId: string
  readonly startTimeNs: bigint
}

function readPage(row: Row): readonly PageEntry[] {
  const columns = ['trace_ids', 'span_ids', 'starts']
  const lists = new Map(columns.map((name) => [name, listOf(row, name)]))
  return listOf(row, 'trace_ids').map((_, index) => {
    const entry = Object.fromEntries(columns.map((name) => [name, lists.get(name)?.[index]]))
    return {
      traceId: textOf(entry, 'trace_ids'),
      rootSpanId: textOf(entry, 'span_ids'),
      startTimeNs: bigintOf(entry, 'starts'),
    }
  })
}
