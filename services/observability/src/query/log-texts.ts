import type { TracedAgent } from '../domain/traced-agent.ts'
import { LOGS_TABLE } from '../store/logs-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { queryRows, textOf } from './query-rows.ts'
import { ownedBy, ownerParameters, traceTail } from './spans-sql.ts'

/** The condition for the log records of one agent. */
export const OWNED_LOGS = ownedBy('time')

/** Maximum number of spans that borrow in one call. */
const MAX_SPANS = 20_000

/** The keys of the log records that lend a span its input and output; undefined if none does. */
export interface Lenders {
  readonly input: string | undefined
  readonly output: string | undefined
}

/** A log record of a trace. */
export interface RecordKey {
  readonly traceId: string
  readonly spanId: string
  readonly record: string
}

/** The texts of a log record. */
export interface RecordTexts {
  readonly input: string
  readonly output: string
}

/** The last record of each span with an input, and with an output. Reads no texts. */
const LENDERS = `
  SELECT concat(lower(hex(trace_id)), lower(hex(span_id))) AS span,
    toString(argMaxIf(record_key, (time, version), has_input)) AS input_record,
    toString(argMaxIf(record_key, (time, version), has_output)) AS output_record
  FROM ${LOGS_TABLE} PREWHERE trace_tail IN {tails:Array(UInt32)}
  WHERE ${OWNED_LOGS} AND (has_input OR has_output)
    AND lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id, span_id
  LIMIT ${MAX_SPANS}`

const NO_RECORD = '0'

/**
 * Finds which log records lend an input or output to the spans of traces, by the ids of trace and
 * span together. Of several, the last one in time counts, however many there are.
 */
export async function findLenders(
  reader: TraceReader,
  owner: TracedAgent,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, Lenders>> {
  if (traceIds.length === 0) return new Map()
  const tails = traceIds.map(traceTail)
  const rows = await queryRows(reader, LENDERS, { ...ownerParameters(owner), traceIds, tails })
  return new Map(
    rows.map((row) => {
      const [input, output] = ['input', 'output'].map((field) => {
        const record = textOf(row, `${field}_record`)
        return record === NO_RECORD ? undefined : record
      })
      return [textOf(row, 'span'), { input, output }]
    }),
  )
}

const TEXTS = `
  SELECT concat(lower(hex(trace_id)), lower(hex(span_id)), toString(record_key)) AS id,
    input, output
  FROM ${LOGS_TABLE}
  PREWHERE trace_tail IN {tails:Array(UInt32)} AND toString(record_key) IN {records:Array(String)}
  WHERE ${OWNED_LOGS}
  ORDER BY version DESC LIMIT 1 BY trace_id, span_id, record_key`

/** Returns the texts of log records, by `recordId`. */
export async function readRecordTexts(
  reader: TraceReader,
  owner: TracedAgent,
  keys: readonly RecordKey[],
): Promise<ReadonlyMap<string, RecordTexts>> {
  if (keys.length === 0) return new Map()
  const rows = await queryRows(reader, TEXTS, {
    ...ownerParameters(owner),
    tails: [...new Set(keys.map(({ traceId }) => traceTail(traceId)))],
    records: keys.map(({ record }) => record),
  })
  return new Map(
    rows.map((row) => [
      textOf(row, 'id'),
      { input: textOf(row, 'input'), output: textOf(row, 'output') },
    ]),
  )
}

/** Identifies a log record of an agent. */
export function recordId({ traceId, spanId, record }: RecordKey): string {
  return traceId + spanId + record
}
