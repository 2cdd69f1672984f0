import { cutToBytes } from '../domain/text.ts'
import { LENDING_TYPES } from '../domain/trace-tree.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { ORDER_COLUMNS, withBorrowed } from './borrowed-facts.ts'
import { readFewDetails } from './few-details.ts'
import { bigintOf, numberOf, queryRows, textOf } from './query-rows.ts'
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

const SELECTION = {
  tails: '{tails:Array(UInt32)}',
  when: `start_time >= fromUnixTimestamp64Nano({firstStartNs:Int64}, 'UTC')
      AND start_time <= fromUnixTimestamp64Nano({lastStartNs:Int64}, 'UTC')`,
}
const SPANS = fromSpans(COLUMNS, 'all', SELECTION)

const ALIASES = `
  WITH type IN (${LENDING_TYPES.map((type) => `'${type}'`).join(', ')}) AS lends,
    concat(lower(hex(trace_id)), lower(hex(span_id))) IN {roots:Array(String)} AS is_root,
    (toUnixTimestamp64Nano(start_time) + duration_ns, span_id) AS end_order`

/**
 * Reads the root span. If the root has no input, the trace's input is that of its first agent or
 * model with one. If the root has no output, the trace's output is that of the last of them to end
 * with one, unless the run failed. Log records lend what spans don't have.
 */
const DETAILS = `
  ${ALIASES}
  SELECT lower(hex(trace_id)) AS trace,
    anyIf(name, is_root) AS root_name,
    (anyIf(is_error, is_root) > 0 OR max(is_failed_run) > 0) AS is_failed,
    toString(anyIf(duration_ns, is_root)) AS root_duration,
    anyIf(input, is_root) AS root_input,
    anyIf(output, is_root) AS root_output,
    if(
      root_input != '', root_input,
      argMinIf(input, (start_time, span_id), lends AND input != '')
    ) AS input_text,
    if(
      root_output != '' OR is_failed, root_output,
      argMaxIf(output, end_order, lends AND output != '')
    ) AS output_text,
    ${FACTS}
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id
  HAVING countIf(is_root) > 0`

/** Reads only where the spans of the traces have texts. */
const ORDERS = `
  ${ALIASES}
  SELECT lower(hex(trace_id)) AS trace, ${ORDER_COLUMNS}
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id`

/** Returns the details of the traces of a page, by trace id. */
export async function readPageDetails(
  reader: TraceReader,
  owner: TracedAgent,
  { roots, firstStartNs, lastStartNs }: PageTraces,
): Promise<ReadonlyMap<string, TraceDetails>> {
  if (roots.length === 0) return new Map()
  const parameters = {
    ...ownerParameters(owner),
    firstStartNs,
    lastStartNs,
    traceIds: roots.map(({ traceId }) => traceId),
    roots: roots.map(({ traceId, rootSpanId }) => traceId + rootSpanId),
    tails: roots.map(({ traceId }) => traceTail(traceId)),
  }
  const few = await readFewDetails(reader, SELECTION, parameters)
  const found = few ?? (await queryRows(reader, DETAILS, parameters))
  const readOrders = async () => few ?? (await queryRows(reader, ORDERS, parameters))
  const rows = await withBorrowed(reader, owner, found, readOrders)
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
