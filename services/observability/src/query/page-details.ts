import { cutToBytes } from '../domain/text.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { bigintOf, numberOf, queryRows, textOf } from './row.ts'
import { fromSpans, traceTail } from './traces-sql.ts'

/** What the spans of a trace say about it. */
export interface TraceDetails {
  readonly name: string
  readonly isError: boolean
  readonly durationNs: bigint
  readonly input: string
  readonly output: string
}

/** The traces of a page: their roots, and within which times all their spans began. */
export interface PageTraces {
  readonly roots: readonly { readonly traceId: string; readonly rootSpanId: string }[]
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
}

/** An answer takes at most 16 MiB over the wire. */
const MAX_TEXT_BYTES = 12 * 1024 * 1024

const SPANS = fromSpans(
  ['input', 'output', 'duration_ns', 'is_error', 'name'],
  { copies: 'all' },
  {
    tails: '{tails:Array(UInt32)}',
    when: `start_time >= fromUnixTimestamp64Nano({firstStartNs:Int64}, 'UTC')
      AND start_time <= fromUnixTimestamp64Nano({lastStartNs:Int64}, 'UTC')`,
  },
)

/**
 * What the root span says; where it has no text, what the first span took in and what the last one
 * to end gave out.
 */
const DETAILS = `
  WITH concat(lower(hex(trace_id)), lower(hex(span_id))) IN {roots:Array(String)} AS is_root,
    (toUnixTimestamp64Nano(start_time) + duration_ns, span_id) AS end_order
  SELECT lower(hex(trace_id)) AS trace,
    anyIf(name, is_root) AS root_name,
    anyIf(is_error, is_root) AS root_is_error,
    toString(anyIf(duration_ns, is_root)) AS root_duration,
    anyIf(input, is_root) AS root_input,
    anyIf(output, is_root) AS root_output,
    if(root_input != '', root_input, argMinIf(input, (start_time, span_id), input != '')) AS input_text,
    if(root_output != '', root_output, argMaxIf(output, end_order, output != '')) AS output_text
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id
  HAVING countIf(is_root) > 0`

/** What there is to tell about the traces of a page, by trace id. */
export async function readPageDetails(
  reader: TraceReader,
  { accountId, agent }: { accountId: string; agent: string },
  { roots, firstStartNs, lastStartNs }: PageTraces,
): Promise<ReadonlyMap<string, TraceDetails>> {
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
  const rows = await queryRows(reader, DETAILS, parameters)
  const texts = rows.map((row) => ({
    input: textOf(row, 'input_text'),
    output: textOf(row, 'output_text'),
  }))
  const fitting = fitTexts(texts)
  return new Map(
    rows.map((row, index) => [
      textOf(row, 'trace'),
      {
        name: textOf(row, 'root_name'),
        isError: numberOf(row, 'root_is_error') > 0,
        durationNs: bigintOf(row, 'root_duration'),
        ...(fitting[index] ?? { input: '', output: '' }),
      },
    ]),
  )
}

type Texts = Pick<TraceDetails, 'input' | 'output'>

/**
 * Texts that together are no more than an answer can hold: when they are, all are cut to an equal
 * share.
 */
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
