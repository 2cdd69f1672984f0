import type { TracedAgent } from '../domain/traced-agent.ts'
import { usageOf, type TraceUsage, type UsageSpan } from '../domain/trace-usage.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { bigintOf, queryRows, textOf, type Row } from './query-rows.ts'
import { fromSpans, ownerParameters } from './spans-sql.ts'
import { USAGE_COLUMNS } from './usage-sql.ts'

/** The usage of a larger trace isn't worked out, neither in lists nor by itself. */
const MAX_SPANS = 5_000
/** Maximum number of spans that one query reads to work out the usage of several traces. */
const MAX_ALL_SPANS = 50_000

const SPANS = `
  SELECT
    lower(hex(trace_id)) AS trace,
    lower(hex(span_id)) AS span_id_hex,
    lower(hex(parent_span_id)) AS parent_span_id_hex,
    toString(toUnixTimestamp64Nano(start_time)) AS start_ns,
    toString(duration_ns) AS duration_text,
    ${USAGE_COLUMNS.map((column) => `toString(${column}) AS ${column}_text`).join(', ')}
  ${fromSpans([...USAGE_COLUMNS, 'duration_ns'], 'all', { tails: '{tails:Array(UInt32)}' })}
  ORDER BY trace
  LIMIT ${MAX_SPANS + 1} BY trace
  LIMIT ${MAX_ALL_SPANS + 1}`

/** The usage of traces, by their ids. */
export interface CountedUsage {
  readonly usage: ReadonlyMap<string, TraceUsage>
  /** Whether the usage of some traces isn't worked out, because there are too many spans. */
  readonly isPartial: boolean
}

/** Counts the tokens of traces once; `tails` are their `trace_tail` values. */
export async function readUsage(
  reader: TraceReader,
  owner: TracedAgent,
  tails: readonly number[],
): Promise<CountedUsage> {
  if (tails.length === 0) return { usage: new Map(), isPartial: false }
  const rows = await queryRows(reader, SPANS, { ...ownerParameters(owner), tails })
  // The last trace may be incomplete.
  const cut = rows.length > MAX_ALL_SPANS ? textOf(rows.at(-1) ?? {}, 'trace') : undefined
  const traces = [...Map.groupBy(rows, (row) => textOf(row, 'trace'))]
  const whole = traces.filter(([trace, spans]) => trace !== cut && spans.length <= MAX_SPANS)
  return {
    usage: new Map(whole.map(([trace, spans]) => [trace, usageOf(spans.map(toUsageSpan))])),
    isPartial: whole.length < traces.length || cut !== undefined,
  }
}

function toUsageSpan(row: Row): UsageSpan {
  return { ...toUsageFields(row), type: textOf(row, 'type_text') }
}

/** Returns the fields of a span that decide what is counted, without its type. */
export function toUsageFields(row: Row): Omit<UsageSpan, 'type'> {
  return {
    spanId: textOf(row, 'span_id_hex'),
    parentSpanId: textOf(row, 'parent_span_id_hex'),
    startTimeNs: bigintOf(row, 'start_ns'),
    durationNs: bigintOf(row, 'duration_text'),
    responseKey: textOf(row, 'response_key_text'),
    inputTokens: bigintOf(row, 'input_tokens_text'),
    outputTokens: bigintOf(row, 'output_tokens_text'),
    totalInputTokens: bigintOf(row, 'total_input_tokens_text'),
    totalOutputTokens: bigintOf(row, 'total_output_tokens_text'),
    cachedTokens: bigintOf(row, 'cached_tokens_text'),
    reasoningTokens: bigintOf(row, 'reasoning_tokens_text'),
    costNanoUsd: bigintOf(row, 'cost_nano_usd_text'),
    totalCostNanoUsd: bigintOf(row, 'total_cost_nano_usd_text'),
  }
}
