import { mergeMessages } from '../domain/span-messages.ts'
import type { TraceSpan } from '../domain/trace-tree.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import { LOGS_TABLE } from '../store/logs-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { MAX_DETAIL_VALUES, valuesIn } from './detail-values.ts'
import { findTextSources, readRecordTexts, recordId, type RecordTexts } from './log-texts.ts'
import { numberOf, queryRows, textOf, type Row } from './query-rows.ts'
import { OWNED_LOGS, ownerParameters, traceTail } from './spans-sql.ts'

/** The last records of a span are shown if it has more. */
const MAX_RECORDS = 32
/** Maximum number of spans of a trace that get texts or events from log records. */
const MAX_SPANS = 1_000
/** The same in bytes: of the attributes and messages of all records, and of all texts. */
const MAX_BYTES = 1024 * 1024

const OF_TRACE = `
  FROM ${LOGS_TABLE} PREWHERE trace_tail = {tail:UInt32}
  WHERE ${OWNED_LOGS} AND trace_id = toFixedString(unhex({traceId:String}), 16)`

const ANY_RECORD = `SELECT 1 AS is_logged ${OF_TRACE} LIMIT 1`

/** The records that are shown, without their texts. */
const SHOWN = `
  SELECT span_id, record_key FROM (
    SELECT span_id, record_key, time, version ${OF_TRACE}
    ORDER BY time DESC, version DESC LIMIT 1 BY span_id, record_key
  )
  ORDER BY time DESC, version DESC LIMIT ${MAX_RECORDS} BY span_id
  LIMIT ${MAX_SPANS * MAX_RECORDS}`

const RECORDS = `
  SELECT span, time_ns, name, session_id, user_id,
    (used > ${MAX_BYTES} OR used_values > ${MAX_DETAIL_VALUES}) AS is_cut,
    if(is_cut, '', attributes) AS attributes_kept, if(is_cut, '', messages) AS messages_kept
  FROM (
    SELECT lower(hex(span_id)) AS span, toString(toUnixTimestamp64Nano(time)) AS time_ns,
      time, version, name, session_id, user_id, attributes, messages,
      sum(length(attributes) + length(messages)) OVER
        (ORDER BY time, version ROWS UNBOUNDED PRECEDING) AS used,
      sum(${valuesIn(['attributes', 'messages'])}) OVER
        (ORDER BY time, version ROWS UNBOUNDED PRECEDING) AS used_values
    FROM (
      SELECT span_id, time, version, name, session_id, user_id, attributes, messages ${OF_TRACE}
        AND (span_id, record_key) IN (${SHOWN})
      ORDER BY version DESC LIMIT 1 BY span_id, record_key
    )
  )
  ORDER BY time, version`

/** The spans of a trace with what is in their log records. */
export interface SpansWithLogs {
  readonly spans: readonly TraceSpan[]
  /** Whether some spans don't have all of it, because it is too much for one response. */
  readonly isTruncated: boolean
}

/**
 * Adds the log records of a trace to its spans: as events, and as the input, output, messages,
 * session and user of spans that have none. Spans whose details are omitted get nothing.
 */
export async function addLogs(
  reader: TraceReader,
  owner: TracedAgent,
  { traceId, spans }: { readonly traceId: string; readonly spans: readonly TraceSpan[] },
): Promise<SpansWithLogs> {
  const parameters = { ...ownerParameters(owner), traceId, tail: traceTail(traceId) }
  const [any] = await queryRows(reader, ANY_RECORD, parameters)
  if (any === undefined) return { spans, isTruncated: false }
  const records = await queryRows(reader, RECORDS, parameters)
  const bySpan = Map.groupBy(records, (row) => textOf(row, 'span'))
  const logged = spans.filter(({ spanId, events }) => bySpan.has(spanId) && events !== '')
  const receiving = logged.slice(0, MAX_SPANS)
  const { texts, isCut } = await readLogTexts(reader, owner, traceId, receiving)
  const received = new Set(receiving)
  return {
    spans: spans.map((span) =>
      received.has(span)
        ? withLogs(span, bySpan.get(span.spanId) ?? [], texts.get(span.spanId))
        : span,
    ),
    isTruncated:
      isCut || received.size < logged.length || records.some((row) => numberOf(row, 'is_cut') > 0),
  }
}

/** Returns the texts of spans that are in log records, by the ids of the spans. */
async function readLogTexts(
  reader: TraceReader,
  owner: TracedAgent,
  traceId: string,
  spans: readonly TraceSpan[],
) {
  const sources = await findTextSources(reader, owner, [traceId])
  const wanted = spans.map(({ spanId, input, output }) => {
    const keys = sources.get(traceId + spanId)
    return {
      spanId,
      input: input === '' && keys?.input ? { traceId, spanId, record: keys.input } : undefined,
      output: output === '' && keys?.output ? { traceId, spanId, record: keys.output } : undefined,
    }
  })
  const keys = wanted.flatMap(({ input, output }) =>
    [input, output].filter((key) => key !== undefined),
  )
  const read = await readRecordTexts(reader, owner, keys)
  const texts = new Map<string, RecordTexts>()
  let left = MAX_BYTES
  for (const { spanId, input, output } of wanted) {
    const text = {
      input: (input && read.get(recordId(input))?.input) ?? '',
      output: (output && read.get(recordId(output))?.output) ?? '',
    }
    left -= Buffer.byteLength(text.input) + Buffer.byteLength(text.output)
    if (left >= 0) texts.set(spanId, text)
  }
  return { texts, isCut: left < 0 }
}

function withLogs(
  span: TraceSpan,
  records: readonly Row[],
  texts: RecordTexts | undefined,
): TraceSpan {
  const shown = records.filter((row) => numberOf(row, 'is_cut') === 0)
  const events = shown.map(toEvent)
  const first = (column: string) =>
    records.map((row) => textOf(row, column)).find((id) => id !== '') ?? ''
  const own = span.events === '[]' ? [] : [span.events.slice(1, -1)]
  return {
    ...span,
    messages: span.messages || mergeMessages(records.map((row) => textOf(row, 'messages_kept'))),
    input: span.input || (texts?.input ?? ''),
    output: span.output || (texts?.output ?? ''),
    sessionId: span.sessionId || first('session_id'),
    userId: span.userId || first('user_id'),
    events: `[${[...own, ...events].join(',')}]`,
  }
}

/** Writes a record as the ingest writes the event of a span. */
function toEvent(row: Row): string {
  const name = JSON.stringify(textOf(row, 'name'))
  const [timeNs, attributes] = [textOf(row, 'time_ns'), textOf(row, 'attributes_kept')]
  return `{"time_ns":"${timeNs}","name":${name},"attributes":${attributes}}`
}
