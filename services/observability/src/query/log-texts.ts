import type { TracedAgent } from '../domain/traced-agent.ts'
import { LOGS_TABLE } from '../store/logs-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { queryRows, textOf } from './query-rows.ts'
import { OWNED_LOGS, ownerParameters, traceTail } from './spans-sql.ts'

/** Maximum number of spans whose texts are looked up in one call. */
const MAX_SPANS = 20_000

/** The log records with the texts of a span, and the ids that its records name. */
export interface TextSources {
  /** The key of the record; undefined if none has one. */
  readonly input: string | undefined
  readonly output: string | undefined
  /** The texts of those records, if they were asked for. */
  readonly texts: RecordTexts
  /** Those of the first record in time that names one; empty if none does. */
  readonly sessionId: string
  readonly userId: string
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

/**
 * The last record of each span with an input, and with an output; the first ids. Texts only of the
 * `likely` spans.
 */
const sourcesSql = (hasLikely: boolean) => `
  WITH concat(lower(hex(trace_id)), lower(hex(span_id))) IN {likely:Array(String)} AS is_likely
  SELECT concat(lower(hex(trace_id)), lower(hex(span_id))) AS span,
    toString(argMaxIf(record_key, (time, version), has_input)) AS input_record,
    toString(argMaxIf(record_key, (time, version), has_output)) AS output_record,
    ${hasLikely ? 'argMaxIf(input, (time, version), has_input AND is_likely)' : `''`} AS input_text,
    ${hasLikely ? 'argMaxIf(output, (time, version), has_output AND is_likely)' : `''`}
      AS output_text,
    argMinIf(session_id, (time, version), session_id != '') AS session,
    argMinIf(user_id, (time, version), user_id != '') AS user
  FROM ${LOGS_TABLE} PREWHERE trace_tail IN {tails:Array(UInt32)}
  WHERE ${OWNED_LOGS} AND (has_input OR has_output OR session_id != '' OR user_id != '')
    AND lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id, span_id
  ORDER BY min(time), span
  LIMIT ${MAX_SPANS}`

const NO_RECORD = '0'

/**
 * Finds the log records with the texts of the spans of traces, by the ids of trace and span
 * together, those of the earliest records first. The last text in time counts, however many there
 * are. `likely` are the spans whose texts are returned at once.
 */
export async function findTextSources(
  reader: TraceReader,
  owner: TracedAgent,
  traceIds: readonly string[],
  likely: readonly string[] = [],
): Promise<ReadonlyMap<string, TextSources>> {
  if (traceIds.length === 0) return new Map()
  const tails = traceIds.map(traceTail)
  const parameters = { ...ownerParameters(owner), traceIds, tails, likely }
  const rows = await queryRows(reader, sourcesSql(likely.length > 0), parameters)
  return new Map(
    rows.map((row) => {
      const [input, output] = ['input', 'output'].map((field) => {
        const record = textOf(row, `${field}_record`)
        return record === NO_RECORD ? undefined : record
      })
      const ids = { sessionId: textOf(row, 'session'), userId: textOf(row, 'user') }
      const texts = { input: textOf(row, 'input_text'), output: textOf(row, 'output_text') }
      return [textOf(row, 'span'), { input, output, texts, ...ids }]
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
