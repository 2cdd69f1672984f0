import { cutToBytes } from '../domain/text.ts'
import type { QueryLimits, TraceStore } from '../store/trace-store.ts'
import { queryRows, textOf } from './row.ts'
import { fromSpans, traceTail } from './traces-sql.ts'

/** What a trace was asked and what it answered. */
export interface Texts {
  readonly input: string
  readonly output: string
}

/** The traces whose texts are wanted: those of a page, and within which times all their spans began. */
export interface PageTraces {
  readonly roots: readonly { readonly traceId: string; readonly rootSpanId: string }[]
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
}

/** An answer takes at most 16 MiB over the wire. */
const MAX_TEXT_BYTES = 12 * 1024 * 1024

const SPANS = fromSpans(
  ['input', 'output', 'duration_ns'],
  { duplicates: true, orphans: false },
  {
    tails: '{tails:Array(UInt32)}',
    when: `start_time >= fromUnixTimestamp64Nano({firstStartNs:Int64}, 'UTC')
      AND start_time <= fromUnixTimestamp64Nano({lastStartNs:Int64}, 'UTC')`,
  },
)

/** What the root span says; where it says nothing, what the first span took in and what the last one to end gave out. */
const TEXTS = `
  WITH concat(lower(hex(trace_id)), lower(hex(span_id))) IN {roots:Array(String)} AS is_root,
    (toUnixTimestamp64Nano(start_time) + duration_ns, span_id) AS end_order
  SELECT lower(hex(trace_id)) AS trace,
    anyIf(input, is_root) AS root_input,
    anyIf(output, is_root) AS root_output,
    if(root_input != '', root_input, argMinIf(input, (start_time, span_id), input != '')) AS input_text,
    if(root_output != '', root_output, argMaxIf(output, end_order, output != '')) AS output_text
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id`

/** The texts of the traces of a page, by trace id. */
export async function readPageTexts(
  store: TraceStore,
  { accountId, agent }: { accountId: string; agent: string },
  { roots, firstStartNs, lastStartNs }: PageTraces,
  limits: QueryLimits,
): Promise<ReadonlyMap<string, Texts>> {
  if (roots.length === 0) return new Map()
  const parameters = {
    accountId,
    agent,
    firstStartNs,
    lastStartNs,
    traceIds: roots.map(({ traceId }) => traceId),
    roots: roots.map(({ traceId, rootSpanId }) => traceId + rootSpanId),
    tails: roots.map(({ traceId }) => traceTail(traceId)),
  }
  const rows = await queryRows(store, TEXTS, parameters, limits)
  const texts = rows.map((row) => ({ input: textOf(row, 'input_text'), output: textOf(row, 'output_text') }))
  const fitting = fitTexts(texts)
  return new Map(rows.flatMap((row, index) => [[textOf(row, 'trace'), fitting[index] ?? { input: '', output: '' }]]))
}

/** Texts that together are no more than an answer can hold: when they are, all are cut to an equal share. */
function fitTexts(texts: readonly Texts[]): readonly Texts[] {
  const total = texts.reduce((sum, { input, output }) => sum + Buffer.byteLength(input) + Buffer.byteLength(output), 0)
  if (total <= MAX_TEXT_BYTES) return texts
  const share = Math.floor(MAX_TEXT_BYTES / texts.length / 2)
  return texts.map(({ input, output }) => ({ input: cutToBytes(input, share), output: cutToBytes(output, share) }))
}
