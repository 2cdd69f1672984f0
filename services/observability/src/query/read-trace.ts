import type { TraceSpan } from '../domain/trace-tree.ts'
import type { TraceUsage } from '../domain/trace-usage.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { MAX_DETAIL_VALUES, valuesIn } from './detail-values.ts'
import { bigintOf, numberOf, queryRows, textOf, type Row } from './query-rows.ts'
import { toUsageFields } from './read-usage.ts'
import { fromSpans, ownerParameters, traceTail } from './spans-sql.ts'
import { addLogs } from './trace-logs.ts'
import { USAGE_AMOUNTS } from './usage-sql.ts'

const MAX_SPANS = 5_000
/**
 * Maximum size of the texts, attributes and events in one response. Later spans are returned
 * without them. Attributes take up to three times as much on the wire, where a response has at most
 * 16 MiB.
 */
const MAX_DETAIL_BYTES = 3 * 1024 * 1024

/** A trace with its spans. */
export interface StoredTrace {
  /** At most 5000 spans: those without a parent first, then by start. */
  readonly spans: readonly TraceSpan[]
  readonly spanCount: number
  /** How many of all spans have an error status. */
  readonly errorSpanCount: number
  /** Whether an agent among all spans failed, and so the run. */
  readonly hasFailedRun: boolean
  /** Whether the response omits spans, texts, attributes or events. */
  readonly isTruncated: boolean
  /** When the first and the last of all spans started. */
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
  /** The sums over all spans, which can count a call twice. */
  readonly sums: TraceUsage
}

/** The texts of a span that are omitted if the response would be too large. */
const DETAILS = [
  'scope',
  'provider',
  'tool_name',
  'session_id',
  'user_id',
  'finish_reason',
  'input',
  'output',
  'messages',
  'attributes',
  'events',
]
/** Amounts of a span, as integers. */
const AMOUNTS = [...USAGE_AMOUNTS, 'cache_written_tokens', 'first_token_ns']
/** The amounts of calls. */
const SUMMED = [
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cost_nano_usd',
]
const COLUMNS = [
  'duration_ns',
  'is_error',
  'is_failed_run',
  'kind',
  'type',
  'cost_source',
  ...AMOUNTS,
  'response_key',
  'build_id',
  'model',
  'name',
  'status_message',
  ...DETAILS,
]

const SPANS = `
  SELECT *
  ${fromSpans(COLUMNS, 'all', { tails: '({tail:UInt32})' })}
  WHERE trace_id = toFixedString(unhex({traceId:String}), 16)`

const ORDER = 'root_rank != 0, start_time, span_id'
const DETAIL_BYTES = DETAILS.map((column) => `length(${column})`).join(' + ')
const DETAIL_VALUES = valuesIn(['messages', 'attributes', 'events'])
const FITS = `used <= ${MAX_DETAIL_BYTES} AND used_values <= ${MAX_DETAIL_VALUES}`
const KEPT_DETAILS = DETAILS.map((column) => `if(${FITS}, ${column}, '') AS ${column}_kept`)

const TRACE = `
  SELECT
    lower(hex(span_id)) AS span_id_hex,
    lower(hex(parent_span_id)) AS parent_span_id_hex,
    root_rank,
    parent_span_id IN (SELECT span_id FROM (${SPANS})) AS has_parent,
    toString(version) AS version_text,
    toString(toUnixTimestamp64Nano(start_time)) AS start_ns,
    toString(duration_ns) AS duration_text,
    is_error, kind, type, cost_source, build_id, model, name, status_message,
    ${AMOUNTS.map((column) => `toString(${column}) AS ${column}_text`).join(', ')},
    toString(response_key) AS response_key_text,
    span_count, error_span_count, has_failed_run,
    (detail_bytes > ${MAX_DETAIL_BYTES} OR detail_values > ${MAX_DETAIL_VALUES}
      OR span_count > ${MAX_SPANS}) AS is_truncated,
    toString(toUnixTimestamp64Nano(first_start)) AS first_start_ns,
    toString(toUnixTimestamp64Nano(last_start)) AS last_start_ns,
    ${SUMMED.map((column) => `toString(${column}_sum) AS ${column}_total`).join(', ')},
    ${KEPT_DETAILS.join(', ')}
  FROM (
    SELECT *,
      sum(${DETAIL_BYTES}) OVER (ORDER BY ${ORDER} ROWS UNBOUNDED PRECEDING) AS used,
      sum(${DETAIL_VALUES}) OVER (ORDER BY ${ORDER} ROWS UNBOUNDED PRECEDING) AS used_values,
      sum(${DETAIL_BYTES}) OVER () AS detail_bytes,
      sum(${DETAIL_VALUES}) OVER () AS detail_values,
      min(start_time) OVER () AS first_start,
      max(start_time) OVER () AS last_start,
      count() OVER () AS span_count,
      sum(is_error) OVER () AS error_span_count,
      max(is_failed_run) OVER () AS has_failed_run,
      ${SUMMED.map((column) => `sum(toUInt128(${column})) OVER () AS ${column}_sum`).join(', ')}
    FROM (${SPANS})
  )
  ORDER BY ${ORDER}
  LIMIT ${MAX_SPANS}`

/** Reads a trace of an agent, with its log records; undefined if there is none. */
export async function readTrace(
  reader: TraceReader,
  owner: TracedAgent,
  traceId: string,
): Promise<StoredTrace | undefined> {
  const rows = await queryRows(reader, TRACE, {
    ...ownerParameters(owner),
    traceId,
    tail: traceTail(traceId),
  })
  const [first] = rows
  if (first === undefined) return undefined
  const logged = await addLogs(reader, owner, { traceId, spans: rows.map(toTraceSpan) })
  return {
    spans: logged.spans,
    spanCount: numberOf(first, 'span_count'),
    errorSpanCount: numberOf(first, 'error_span_count'),
    hasFailedRun: numberOf(first, 'has_failed_run') > 0,
    isTruncated: numberOf(first, 'is_truncated') > 0 || logged.isTruncated,
    firstStartNs: bigintOf(first, 'first_start_ns'),
    lastStartNs: bigintOf(first, 'last_start_ns'),
    sums: {
      inputTokens: bigintOf(first, 'input_tokens_total'),
      outputTokens: bigintOf(first, 'output_tokens_total'),
      cachedTokens: bigintOf(first, 'cached_tokens_total'),
      reasoningTokens: bigintOf(first, 'reasoning_tokens_total'),
      costNanoUsd: bigintOf(first, 'cost_nano_usd_total'),
    },
  }
}

function toTraceSpan(row: Row): TraceSpan {
  return {
    ...toUsageFields(row),
    rootRank: numberOf(row, 'root_rank'),
    hasParent: numberOf(row, 'has_parent') > 0,
    version: numberOf(row, 'version_text'),
    isError: numberOf(row, 'is_error') > 0,
    kind: numberOf(row, 'kind'),
    type: textOf(row, 'type'),
    costSource: textOf(row, 'cost_source'),
    buildId: textOf(row, 'build_id'),
    model: textOf(row, 'model'),
    name: textOf(row, 'name'),
    statusMessage: textOf(row, 'status_message'),
    cacheWrittenTokens: bigintOf(row, 'cache_written_tokens_text'),
    firstTokenNs: bigintOf(row, 'first_token_ns_text'),
    scope: textOf(row, 'scope_kept'),
    provider: textOf(row, 'provider_kept'),
    toolName: textOf(row, 'tool_name_kept'),
    sessionId: textOf(row, 'session_id_kept'),
    userId: textOf(row, 'user_id_kept'),
    finishReason: textOf(row, 'finish_reason_kept'),
    messages: textOf(row, 'messages_kept'),
    input: textOf(row, 'input_kept'),
    output: textOf(row, 'output_kept'),
    attributes: textOf(row, 'attributes_kept'),
    events: textOf(row, 'events_kept'),
  }
}
