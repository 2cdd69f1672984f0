import { cutToBytes } from '../domain/text.ts'
import type { Page } from '../domain/trace-range.ts'
import type { QueryLimits, TraceStore } from '../store/trace-store.ts'
import { bigintOf, listOf, nonsense, numberOf, queryRows, textOf, type Row } from './row.ts'
import { runTraceQuery } from './run-trace-query.ts'
import {
  DIAGNOSTICS,
  scopeParameters,
  spansOfTraces,
  traces,
  traceTail,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

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

interface Texts {
  readonly input: string
  readonly output: string
}

const NO_TEXTS: Texts = { input: '', output: '' }
/** An answer takes at most 16 MiB over the wire. */
const MAX_TEXT_BYTES = 12 * 1024 * 1024

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
  const [row] = await runTraceQuery(store, (precautions) => pageSql(filter, precautions), parameters, limits)
  if (row === undefined) throw nonsense('no row')
  const entries = readPage(row)
  const texts = await readTexts(store, scope, entries, limits)
  return {
    total: numberOf(row, 'total'),
    traces: entries.map((entry) => ({ ...entry, ...(texts.get(entry.traceId) ?? NO_TEXTS) })),
  }
}

function pageSql(filter: TraceFilter, precautions: Precautions): string {
  const conditions = ['is_listed']
  if (filter.isError !== undefined) conditions.push(`root_is_error = ${filter.isError ? 1 : 0}`)
  if (filter.buildId !== undefined) conditions.push('root_build_id = {buildId:String}')
  if (filter.text !== undefined) conditions.push('hits > 0')
  const sums: Record<string, string> = {}
  if (filter.text !== undefined) sums['hits'] = `countIf(${['name', 'input', 'output'].map(contains).join(' OR ')})`
  const entry =
    '(toUnixTimestamp64Nano(root_start), trace_id, root_span_id, root_duration_ns, root_is_error, root_name)'
  return `
    SELECT is_duplicated, is_unsettled, total,
      arrayMap(entry -> toString(entry.1), page) AS starts,
      arrayMap(entry -> lower(hex(entry.2)), page) AS trace_ids,
      arrayMap(entry -> lower(hex(entry.3)), page) AS span_ids,
      arrayMap(entry -> toString(entry.4), page) AS durations,
      arrayMap(entry -> entry.5, page) AS errors,
      arrayMap(entry -> entry.6, page) AS names
    FROM (
      SELECT ${DIAGNOSTICS},
        countIf(${conditions.join(' AND ')}) AS total,
        arrayPartialSort(entry -> (-entry.1, entry.2), {last:UInt32}, groupArrayIf(${entry}, ${conditions.join(' AND ')}))
          AS sorted,
        arraySlice(sorted, {first:UInt32}, {limit:UInt32}) AS page
    FROM (${traces(
      ['duration_ns', 'is_error', 'name', 'build_id'],
      sums,
      filter.text === undefined ? [] : ['input', 'output'],
      precautions,
    )})
    )`
}

function contains(column: string): string {
  return `positionCaseInsensitiveUTF8(${column}, {text:String}) > 0`
}

interface PageEntry extends Omit<ListedTrace, 'input' | 'output'> {
  readonly rootSpanId: string
}

function readPage(row: Row): readonly PageEntry[] {
  const [starts, spanIds, durations, errors, names] = ['starts', 'span_ids', 'durations', 'errors', 'names'].map(
    (name) => listOf(row, name),
  )
  return listOf(row, 'trace_ids').map((traceId, index) => {
    const entry = { traceId, start: starts?.[index], span: spanIds?.[index], duration: durations?.[index] }
    return {
      traceId: textOf(entry, 'traceId'),
      rootSpanId: textOf(entry, 'span'),
      startTimeNs: bigintOf(entry, 'start'),
      durationNs: bigintOf(entry, 'duration'),
      isError: Number(errors?.[index]) > 0,
      name: String(names?.[index]),
    }
  })
}

/** What the root span says; where it says nothing, what the first span took in and what the last one to end gave out. */
const TEXTS = `
  SELECT lower(hex(trace_id)) AS trace,
    anyIf(input, is_root) AS root_input,
    anyIf(output, is_root) AS root_output,
    if(root_input != '', root_input, argMinIf(input, (start_time, span_id), input != '')) AS input_text,
    if(root_output != '', root_output, argMaxIf(output, (end_time, span_id), output != '')) AS output_text
  FROM (
    SELECT *, toUnixTimestamp64Nano(start_time) + duration_ns AS end_time,
      (trace_id, span_id) IN (
        SELECT toFixedString(unhex(id.1), 16), toFixedString(unhex(id.2), 8)
        FROM (SELECT arrayJoin(arrayZip({traceIds:Array(String)}, {spanIds:Array(String)})) AS id)
      ) AS is_root
    FROM (${spansOfTraces(
      ['input', 'output', 'duration_ns'],
      { duplicates: true, orphans: false },
      'SELECT arrayJoin({tails:Array(UInt32)})',
    )})
  )
  WHERE trace_id IN (SELECT toFixedString(unhex(arrayJoin({traceIds:Array(String)})), 16))
  GROUP BY trace_id`

async function readTexts(
  store: TraceStore,
  { accountId, agent }: TraceScope,
  entries: readonly PageEntry[],
  limits: QueryLimits,
): Promise<ReadonlyMap<string, Texts>> {
  if (entries.length === 0) return new Map()
  const parameters = {
    accountId,
    agent,
    traceIds: entries.map(({ traceId }) => traceId),
    spanIds: entries.map(({ rootSpanId }) => rootSpanId),
    tails: entries.map(({ traceId }) => traceTail(traceId)),
  }
  const rows = await queryRows(store, TEXTS, parameters, limits)
  const texts = rows.map((row) => ({ input: textOf(row, 'input_text'), output: textOf(row, 'output_text') }))
  const fitting = fitTexts(texts)
  return new Map(rows.map((row, index) => [textOf(row, 'trace'), fitting[index] ?? NO_TEXTS]))
}

/** Texts that together are no more than an answer can hold: when they are, all are cut to an equal share. */
function fitTexts(texts: readonly Texts[]): readonly Texts[] {
  const total = texts.reduce((sum, { input, output }) => sum + Buffer.byteLength(input) + Buffer.byteLength(output), 0)
  if (total <= MAX_TEXT_BYTES) return texts
  const share = Math.floor(MAX_TEXT_BYTES / texts.length / 2)
  return texts.map(({ input, output }) => ({ input: cutToBytes(input, share), output: cutToBytes(output, share) }))
}
