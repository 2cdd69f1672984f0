import { cutToBytes } from '../domain/text.ts'
import { LENDING_TYPES } from '../domain/trace-tree.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import {
  findLoggedTraces,
  LENDERS,
  readLentTexts,
  type LentTexts,
  type SpanKey,
} from './log-texts.ts'
import { bigintOf, numberOf, queryRows, textOf, type Row } from './query-rows.ts'
import { fromSpans, ownerParameters, traceTail } from './spans-sql.ts'
import { FACT_COLUMNS, FACTS, toFacts, type TraceFacts } from './trace-facts.ts'

/** The details of a trace in a list. */
export interface TraceDetails extends TraceFacts {
  readonly name: string
  readonly isError: boolean
  readonly durationNs: bigint
  readonly input: string
  readonly output: string
}

/** The traces of a page: their roots, and when the first and last of their spans started. */
export interface PageTraces {
  readonly roots: readonly { readonly traceId: string; readonly rootSpanId: string }[]
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
}

/** A response has at most 16 MiB on the wire. */
const MAX_TEXT_BYTES = 12 * 1024 * 1024

const COLUMNS = ['input', 'output', 'duration_ns', 'is_failed_run', 'name', ...FACT_COLUMNS]

const SPANS = fromSpans(COLUMNS, 'all', {
  tails: '{tails:Array(UInt32)}',
  when: `start_time >= fromUnixTimestamp64Nano({firstStartNs:Int64}, 'UTC')
      AND start_time <= fromUnixTimestamp64Nano({lastStartNs:Int64}, 'UTC')`,
})

/**
 * Reads the root span. If the root has no input, the trace's input is that of its first agent or
 * model with one. If the root has no output, the trace's output is that of the last of them to end
 * with one, unless the run failed. With `lent`, the conditions for spans to which log records lend
 * an input or output, `input_span` and `output_span` are the spans whose texts these are.
 */
function detailsSql(lent?: { readonly input: string; readonly output: string }): string {
  const orLent = (condition: string | undefined) => (condition ? ` OR ${condition}` : '')
  const [hasInput, hasOutput] = ['max(is_root AND shows_input)', 'max(is_root AND shows_output)']
  const input = (column: string) => `if(
      ${hasInput}, anyIf(${column}, is_root),
      argMinIf(${column}, (start_time, span_id), lends AND shows_input))`
  const output = (column: string) => `if(
      ${hasOutput} OR is_failed, anyIf(${column}, is_root),
      argMaxIf(${column}, end_order, lends AND shows_output))`
  return `
  WITH type IN (${LENDING_TYPES.map((type) => `'${type}'`).join(', ')}) AS lends,
    concat(lower(hex(trace_id)), lower(hex(span_id))) IN {roots:Array(String)} AS is_root,
    (toUnixTimestamp64Nano(start_time) + duration_ns, span_id) AS end_order,
    (input != ''${orLent(lent?.input)}) AS shows_input,
    (output != ''${orLent(lent?.output)}) AS shows_output
  SELECT lower(hex(trace_id)) AS trace,
    anyIf(name, is_root) AS root_name,
    (anyIf(is_error, is_root) > 0 OR max(is_failed_run) > 0) AS is_failed,
    toString(anyIf(duration_ns, is_root)) AS root_duration,
    ${input('input')} AS input_text,
    ${output('output')} AS output_text,
    ${lent ? `lower(hex(${input('span_id')}))` : "''"} AS input_span,
    ${lent ? `lower(hex(${output('span_id')}))` : "''"} AS output_span,
    NOT (${hasInput} AND ${hasOutput}) AS needs_logs,
    ${FACTS}
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id
  HAVING countIf(is_root) > 0`
}

const DETAILS = detailsSql()
const DETAILS_WITH_LOGS = detailsSql(LENDERS)

/** Returns the details of the traces of a page, by trace id. */
export async function readPageDetails(
  reader: TraceReader,
  owner: TracedAgent,
  page: PageTraces,
): Promise<ReadonlyMap<string, TraceDetails>> {
  if (page.roots.length === 0) return new Map()
  const found = await queryRows(reader, DETAILS, pageParameters(owner, page))
  const rows = await withLentTexts(reader, owner, page, found)
  const texts = rows.map((row) => ({
    input: textOf(row, 'input_text'),
    output: textOf(row, 'output_text'),
  }))
  const fitted = fitTexts(texts)
  const facts = await toFacts(reader, owner, rows)
  return new Map(
    facts.map((own, index) => {
      const row = rows[index] ?? {}
      const details = {
        ...own,
        name: textOf(row, 'root_name'),
        isError: numberOf(row, 'is_failed') > 0,
        durationNs: bigintOf(row, 'root_duration'),
        ...(fitted[index] ?? { input: '', output: '' }),
      }
      return [textOf(row, 'trace'), details]
    }),
  )
}

function pageParameters(owner: TracedAgent, { roots, firstStartNs, lastStartNs }: PageTraces) {
  return {
    ...ownerParameters(owner),
    firstStartNs,
    lastStartNs,
    traceIds: roots.map(({ traceId }) => traceId),
    roots: roots.map(({ traceId, rootSpanId }) => traceId + rootSpanId),
    tails: roots.map(({ traceId }) => traceTail(traceId)),
  }
}

/**
 * Completes the rows of traces whose spans have no input or output: reads those with log records
 * again, with the spans to which these lend their texts.
 */
async function withLentTexts(
  reader: TraceReader,
  owner: TracedAgent,
  page: PageTraces,
  found: readonly Row[],
): Promise<readonly Row[]> {
  const open = found.filter((row) => numberOf(row, 'needs_logs') > 0)
  const logged = await findLoggedTraces(
    reader,
    owner,
    open.map((row) => textOf(row, 'trace')),
  )
  if (logged.size === 0) return found
  const roots = page.roots.filter(({ traceId }) => logged.has(traceId))
  const parameters = pageParameters(owner, { ...page, roots })
  const rows = await queryRows(reader, DETAILS_WITH_LOGS, parameters)
  const lent = await readLentTexts(reader, owner, rows.flatMap(borrowingSpans))
  const completed = new Map(rows.map((row) => [textOf(row, 'trace'), complete(row, lent)]))
  return found.map((row) => completed.get(textOf(row, 'trace')) ?? row)
}

/** The spans of a trace whose input or output is not theirs; the id of no span is all zeros. */
function borrowingSpans(row: Row): readonly SpanKey[] {
  const traceId = textOf(row, 'trace')
  return (['input', 'output'] as const)
    .filter((field) => textOf(row, `${field}_text`) === '')
    .map((field) => ({ traceId, spanId: textOf(row, `${field}_span`) }))
}

function complete(row: Row, lent: ReadonlyMap<string, LentTexts>): Row {
  const textFor = (field: 'input' | 'output') => {
    const own = textOf(row, `${field}_text`)
    return own || (lent.get(textOf(row, 'trace') + textOf(row, `${field}_span`))?.[field] ?? '')
  }
  return { ...row, input_text: textFor('input'), output_text: textFor('output') }
}

type Texts = Pick<TraceDetails, 'input' | 'output'>

/** Truncates all texts to an equal share if their total size exceeds the limit of a response. */
function fitTexts(texts: readonly Texts[]): readonly Texts[] {
  const total = texts.reduce(
    (sum, { input, output }) => sum + Buffer.byteLength(input) + Buffer.byteLength(output),
    0,
  )
  if (total <= MAX_TEXT_BYTES) return texts
  const share = Math.floor(MAX_TEXT_BYTES / texts.length / 2)
  return texts.map(({ input, output }) => ({
    input: cutToBytes(input, share),
    output: cutToBytes(output, share),
  }))
}
