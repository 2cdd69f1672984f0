import type { TracedAgent } from '../domain/traced-agent.ts'
import { LOGS_TABLE } from '../store/logs-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { queryRows, textOf } from './query-rows.ts'
import { ownedBy, ownerParameters, traceTail } from './spans-sql.ts'

/** The condition for the log records of one agent. */
export const OWNED_LOGS = ownedBy('time')

/** What the log records of a span lend to it; empty where they have nothing. */
export interface LentTexts {
  readonly input: string
  readonly output: string
}

/** A span of an agent. */
export interface SpanKey {
  readonly traceId: string
  readonly spanId: string
}

/** Conditions for spans of the traces in `tails` that have an input or output in log records. */
export const LENDERS = { input: lenders('has_input'), output: lenders('has_output') }

function lenders(flag: 'has_input' | 'has_output'): string {
  return `(trace_id, span_id) IN (
    SELECT trace_id, span_id FROM ${LOGS_TABLE} PREWHERE trace_tail IN {tails:Array(UInt32)}
    WHERE ${OWNED_LOGS} AND ${flag})`
}

const LOGGED_TRACES = `
  SELECT DISTINCT lower(hex(trace_id)) AS trace
  FROM ${LOGS_TABLE} PREWHERE trace_tail IN {tails:Array(UInt32)}
  WHERE ${OWNED_LOGS} AND (has_input OR has_output)
    AND lower(hex(trace_id)) IN {traceIds:Array(String)}`

/** Returns those of these traces that have log records with an input or output. */
export async function findLoggedTraces(
  reader: TraceReader,
  owner: TracedAgent,
  traceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (traceIds.length === 0) return new Set()
  const tails = traceIds.map(traceTail)
  const rows = await queryRows(reader, LOGGED_TRACES, {
    ...ownerParameters(owner),
    traceIds,
    tails,
  })
  return new Set(rows.map((row) => textOf(row, 'trace')))
}

const IS_ASKED = `${OWNED_LOGS}
  AND concat(lower(hex(trace_id)), lower(hex(span_id))) IN {spans:Array(String)}`

/** The last record of each span with a text. Reads no texts. */
const lastRecords = (flag: 'has_input' | 'has_output') => `
  SELECT span_id, record_key FROM ${LOGS_TABLE} PREWHERE trace_tail IN {tails:Array(UInt32)}
  WHERE ${IS_ASKED} AND ${flag}
  ORDER BY time DESC, version DESC LIMIT 1 BY trace_id, span_id`

const TEXTS = `
  SELECT concat(lower(hex(trace_id)), lower(hex(span_id))) AS span,
    argMaxIf(input, (time, version), has_input) AS input_text,
    argMaxIf(output, (time, version), has_output) AS output_text
  FROM ${LOGS_TABLE}
  PREWHERE trace_tail IN {tails:Array(UInt32)}
    AND (span_id, record_key) IN (
      ${lastRecords('has_input')} UNION ALL ${lastRecords('has_output')})
  WHERE ${IS_ASKED}
  GROUP BY trace_id, span_id`

/**
 * Returns what the log records of spans lend to them, by the ids of trace and span together: the
 * last input and the last output. However many records a span has, the texts of two are read.
 */
export async function readLentTexts(
  reader: TraceReader,
  owner: TracedAgent,
  spans: readonly SpanKey[],
): Promise<ReadonlyMap<string, LentTexts>> {
  if (spans.length === 0) return new Map()
  const rows = await queryRows(reader, TEXTS, {
    ...ownerParameters(owner),
    tails: [...new Set(spans.map(({ traceId }) => traceTail(traceId)))],
    spans: spans.map(({ traceId, spanId }) => traceId + spanId),
  })
  return new Map(
    rows.map((row) => [
      textOf(row, 'span'),
      { input: textOf(row, 'input_text'), output: textOf(row, 'output_text') },
    ]),
  )
}
