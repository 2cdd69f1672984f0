import { compare } from '../domain/compare.ts'
import type { Page } from '../domain/page.ts'
import type { TraceFilter } from '../domain/trace-filter.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { filterSql, type FilterSql } from './filter-sql.ts'
import type { KnownHours, NewestRuns } from './known-hours.ts'
import { readPageDetails, tracesOfRuns, type TraceDetails } from './page-details.ts'
import { bigintOf, listOf, numberOf, textOf, type Row } from './query-rows.ts'
import type { Run } from './run.ts'
import { runTraceQuery } from './run-trace-query.ts'
import {
  DIAGNOSTIC_COLUMNS,
  DIAGNOSTICS,
  tracesSql,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

/** Which trace an entry of a list is. */
export interface TraceEntry {
  readonly traceId: string
  readonly rootSpanId: string
  readonly startTimeNs: bigint
}

/** A trace in a list. */
export type ListedTrace = Omit<TraceEntry, 'rootSpanId'> & TraceDetails

/** Which traces of a list are returned, and in which order; ties are sorted by trace id. */
export interface TraceListing {
  readonly filter: TraceFilter
  readonly page: Page
  readonly order: 'newest first' | 'oldest first'
  /** Knows where the newest traces are, if the list has no filter. */
  readonly knownHours?: KnownHours
}

/** Returns a page of traces, and the total of matching traces. */
export async function listTraces(
  reader: TraceReader,
  scope: TraceScope,
  listing: TraceListing,
): Promise<{ traces: readonly ListedTrace[]; total: number }> {
  const { entries, total, ...times } = await listTraceEntries(reader, scope, listing)
  const details = await readPageDetails(reader, scope, { roots: entries, ...times })
  return {
    total,
    // If a trace has no details, it was deleted after the first query.
    traces: entries.flatMap(({ traceId, startTimeNs }) => {
      const detail = details.get(traceId)
      return detail === undefined ? [] : [{ traceId, startTimeNs, ...detail }]
    }),
  }
}

/** A page of entries, the total of matching traces, and when spans of the page started. */
interface EntryPage {
  readonly entries: readonly TraceEntry[]
  /** The same traces, if they are known. */
  readonly runs?: readonly Run[]
  readonly total: number
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
}

/** Returns a page of traces without their details. */
export async function listTraceEntries(
  reader: TraceReader,
  scope: TraceScope,
  { filter, page, order, knownHours }: TraceListing,
): Promise<EntryPage> {
  const selected = filterSql(filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (knownHours !== undefined && !isFiltered && order === 'newest first') {
    const newest = await knownHours.newest(reader, scope, page.offset + page.limit)
    if (newest !== undefined) return pageOfRuns(newest, page)
  }
  const parameters = {
    ...selected.parameters,
    first: page.offset + 1,
    limit: page.limit,
    last: page.offset + page.limit,
  }
  const sql = (precautions: Precautions) => pageSql(selected, order, scope, precautions)
  const { row } = await runTraceQuery(reader, scope, { sql, parameters })
  return {
    entries: readPage(row),
    total: numberOf(row, 'total'),
    firstStartNs: bigintOf(row, 'page_first'),
    lastStartNs: bigintOf(row, 'page_last'),
  }
}

function pageOfRuns({ runs, otherCount }: NewestRuns, { offset, limit }: Page): EntryPage {
  const sorted = runs.toSorted(
    (a, b) => compare(b.startTimeNs, a.startTimeNs) || compare(a.traceId, b.traceId),
  )
  const runsOfPage = sorted.slice(offset, offset + limit)
  const { firstStartNs, lastStartNs } = tracesOfRuns(runsOfPage)
  return {
    entries: runsOfPage,
    runs: runsOfPage,
    total: runs.length + otherCount,
    firstStartNs,
    lastStartNs,
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

function pageSql(
  filter: FilterSql,
  order: TraceListing['order'],
  scope: TraceScope,
  precautions: Precautions,
): string {
  const { isMatch } = filter
  const columns = {
    ...filter,
    sums: {
      first_start: 'toUnixTimestamp64Nano(min(start_time))',
      last_start: 'toUnixTimestamp64Nano(max(start_time))',
      ...filter.sums,
    },
  }
  const entries = `groupArrayIf((${ENTRY.join(', ')}), ${isMatch})`
  const start = order === 'newest first' ? '-entry.1' : 'entry.1'
  const sorted = `arrayPartialSort(entry -> (${start}, entry.2), {last:UInt32}, ${entries})`
  return `
    SELECT ${DIAGNOSTIC_COLUMNS}, total,
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

function readPage(row: Row): readonly TraceEntry[] {
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
