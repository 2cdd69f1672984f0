import { compare } from '../domain/compare.ts'
import { byStart, LENDING_TYPES } from '../domain/trace-tree.ts'
import { usageOf, type UsageSpan } from '../domain/trace-usage.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { MAX_GAPS, TIME_DIGITS } from './borrowed-facts.ts'
import { PAGE_SPANS } from './many-details.ts'
import { bigintOf, numberOf, queryRows, textOf, type Row } from './query-rows.ts'
import { toUsageFields } from './read-usage.ts'
import { fromSpans } from './spans-sql.ts'
import { MAX_MODELS } from './trace-facts.ts'
import { USAGE_COLUMNS } from './usage-sql.ts'

/** Planning a query of groups takes longer than reading so many spans one by one. */
const MAX_SPANS = 5_000

const IS_ROOT = 'concat(trace, span_id_hex) IN {roots:Array(String)}'

/** The spans of the traces, with the texts of the roots. */
const SPANS = `
    SELECT
      lower(hex(trace_id)) AS trace,
      lower(hex(span_id)) AS span_id_hex,
      lower(hex(parent_span_id)) AS parent_span_id_hex,
      toString(toUnixTimestamp64Nano(start_time)) AS start_ns,
      ${USAGE_COLUMNS.map((column) => `toString(${column}) AS ${column}_text`).join(', ')},
      toFloat64(version) AS stored_at,
      toString(duration_ns) AS duration_text,
      is_error, is_failed_run, build_id, session_id, user_id, model, cost_source,
      ${IS_ROOT} AS is_root,
      if(is_root, name, '') AS root_name,
      if(is_root, input, '') AS root_input,
      if(is_root, output, '') AS root_output,
      input != '' AS has_input,
      output != '' AS has_output
    ${fromSpans([], 'none', PAGE_SPANS)} AND trace IN {traceIds:Array(String)}
    LIMIT ${MAX_SPANS + 1}`

/** The texts of some spans. */
const TEXTS = `
    SELECT concat(lower(hex(trace_id)), lower(hex(span_id))) AS span,
      argMax(input, version) AS input_text, argMax(output, version) AS output_text
    ${fromSpans([], 'none', PAGE_SPANS)} AND span IN {spans:Array(String)}
    GROUP BY span`

interface DetailSpan extends UsageSpan {
  readonly row: Row
  readonly trace: string
  readonly version: number
  readonly durationNs: bigint
}

/**
 * Returns the same rows as the queries of `many-details.ts`, with the columns of both, if the traces
 * have few spans; or else undefined.
 */
export async function readFewDetails(
  reader: TraceReader,
  parameters: QueryParameters,
): Promise<readonly Row[] | undefined> {
  const rows = await queryRows(reader, SPANS, parameters)
  if (rows.length > MAX_SPANS) return undefined
  const byTrace = Map.groupBy(withoutCopies(rows.map(toSpan)), ({ trace }) => trace)
  const details = [...byTrace.values()].flatMap((spans) => {
    const root = spans.find(({ row }) => numberOf(row, 'is_root') > 0)
    return root === undefined ? [] : [toDetails(spans.toSorted(byStart), root)]
  })
  return await withTexts(reader, details, parameters)
}

function toSpan(row: Row): DetailSpan {
  return {
    ...toUsageFields(row),
    row,
    type: textOf(row, 'type_text'),
    trace: textOf(row, 'trace'),
    version: numberOf(row, 'stored_at'),
    durationNs: bigintOf(row, 'duration_text'),
  }
}

/** Keeps the newest copy of each span. */
function withoutCopies(spans: readonly DetailSpan[]): readonly DetailSpan[] {
  const newest = new Map<string, DetailSpan>()
  for (const span of spans.toSorted((a, b) => a.version - b.version))
    newest.set(span.trace + span.spanId, span)
  return [...newest.values()]
}

/** The details of a trace, and which spans lend it the texts that its root doesn't have. */
interface Details {
  readonly row: Row
  readonly input: DetailSpan | undefined
  readonly output: DetailSpan | undefined
}

/** Returns the details of a trace from its spans, sorted by start. */
function toDetails(spans: readonly DetailSpan[], root: DetailSpan): Details {
  const { row } = root
  const firstOf = (column: string) =>
    spans.map((span) => textOf(span.row, column)).find((text) => text !== '') ?? ''
  const has = (column: string) => (span: DetailSpan) => numberOf(span.row, column) > 0
  const lenders = spans.filter(({ type }) => LENDING_TYPES.includes(type))
  const byEnd = lenders.toSorted((a, b) => compare(ended(a), ended(b)))
  const isFailed = has('is_error')(root) || spans.some(has('is_failed_run'))
  const input = lenders.find(has('has_input'))
  const output = byEnd.findLast(has('has_output'))
  const lacksInput = textOf(row, 'root_input') === ''
  const lacksOutput = textOf(row, 'root_output') === '' && !isFailed
  const lacking = (column: string, order: (span: DetailSpan) => string, all: typeof lenders) =>
    all
      .filter((span) => !has(column)(span))
      .slice(0, MAX_GAPS)
      .map(order)
  const usage = usageOf(spans)
  return {
    input: lacksInput ? input : undefined,
    output: lacksOutput ? output : undefined,
    row: {
      ...row,
      is_failed: Number(isFailed),
      root_duration: String(root.durationNs),
      input_text: textOf(row, 'root_input'),
      output_text: textOf(row, 'root_output'),
      root_build_id: textOf(row, 'build_id'),
      session: firstOf('session_id'),
      user: firstOf('user_id'),
      models: modelsOf(spans),
      trace_cost_source: costSourceOf(spans),
      span_count: spans.length,
      error_span_count: spans.filter(has('is_error')).length,
      input_token_sum: String(usage.inputTokens),
      output_token_sum: String(usage.outputTokens),
      cached_token_sum: String(usage.cachedTokens),
      reasoning_token_sum: String(usage.reasoningTokens),
      cost_sum: String(usage.costNanoUsd),
      is_miscounted: 0,
      root_span_hex: root.spanId,
      input_order: input === undefined ? '' : started(input),
      output_order: output === undefined ? '' : ended(output),
      input_gaps: lacking('has_input', started, lenders),
      output_gaps: lacking('has_output', ended, byEnd.toReversed()),
    },
  }
}

/** Adds the texts that spans lend to their traces. */
async function withTexts(
  reader: TraceReader,
  details: readonly Details[],
  parameters: QueryParameters,
): Promise<readonly Row[]> {
  const idOf = (span: DetailSpan | undefined) => span && span.trace + span.spanId
  const spans = details.flatMap(({ input, output }) =>
    [idOf(input), idOf(output)].filter((id) => id !== undefined),
  )
  if (spans.length === 0) return details.map(({ row }) => row)
  const rows = await queryRows(reader, TEXTS, { ...parameters, spans })
  const texts = new Map(rows.map((row) => [textOf(row, 'span'), row]))
  const textOfSpan = (span: DetailSpan | undefined, column: string) => {
    const found = texts.get(idOf(span) ?? '')
    return found === undefined ? {} : { [column]: textOf(found, column) }
  }
  return details.map(({ row, input, output }) => ({
    ...row,
    ...textOfSpan(input, 'input_text'),
    ...textOfSpan(output, 'output_text'),
  }))
}

function modelsOf(spans: readonly DetailSpan[]): readonly string[] {
  const models = spans
    .filter(({ type }) => ['model', 'embedding', ''].includes(type))
    .map(({ row }) => textOf(row, 'model'))
  return [...new Set(models.filter((model) => model !== ''))].slice(0, MAX_MODELS).toSorted()
}

function costSourceOf(spans: readonly DetailSpan[]): string {
  const sources = spans.map(({ row }) => textOf(row, 'cost_source'))
  return ['prices', 'sender'].find((source) => sources.includes(source)) ?? ''
}

/** The start or the end of a span as text, as the columns of `borrowed-facts.ts`. */
function started({ startTimeNs, spanId }: DetailSpan): string {
  return String(startTimeNs).padStart(TIME_DIGITS, '0') + spanId
}

function ended({ startTimeNs, durationNs, spanId }: DetailSpan): string {
  return String(startTimeNs + durationNs).padStart(TIME_DIGITS, '0') + spanId
}
