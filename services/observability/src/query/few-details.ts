import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { PAGE_SPANS } from './many-details.ts'
import { queryRows, textOf, type Row } from './query-rows.ts'
import { readRunSpans, withoutCopies } from './run-spans.ts'
import { toRun, type Lending, type Run } from './run.ts'
import { fromSpans } from './spans-sql.ts'

/** The texts of some spans. */
const TEXTS = `
  SELECT concat(lower(hex(trace_id)), lower(hex(span_id))) AS span,
    argMax(input, version) AS input_text, argMax(output, version) AS output_text
  ${fromSpans([], 'none', PAGE_SPANS)} AND span IN {spans:Array(String)}
  GROUP BY span`

/**
 * Returns the traces with these roots. Returns undefined if they have too many spans to be read one
 * by one.
 */
export async function readPageRuns(
  reader: TraceReader,
  roots: ReadonlyMap<string, string>,
  parameters: QueryParameters,
): Promise<readonly Run[] | undefined> {
  const traces = await readRunSpans(reader, PAGE_SPANS, parameters)
  return traces?.flatMap((copies) => {
    const spans = withoutCopies(copies)
    const root = spans.find(({ traceId, spanId }) => roots.get(traceId) === spanId)
    return root === undefined ? [] : [toRun(spans, root)]
  })
}

/** Returns the same rows as the queries of `many-details.ts`, with the columns of both. */
export async function readFewDetails(
  reader: TraceReader,
  runs: readonly Run[],
  parameters: QueryParameters,
): Promise<readonly Row[]> {
  const spans = new Set(runs.flatMap(lendersOf))
  const rows =
    spans.size === 0 ? [] : await queryRows(reader, TEXTS, { ...parameters, spans: [...spans] })
  const texts = new Map(rows.map((row) => [textOf(row, 'span'), row]))
  return runs.map((run) => toRow(run, texts))
}

/** Returns the ids of trace and span of the spans that have the texts of a trace. */
function lendersOf(run: Run): readonly string[] {
  const ids = [
    lenderOf(run, run.input),
    run.isError ? ofRoot(run, run.output) : lenderOf(run, run.output),
  ]
  return ids.flatMap((id) => (id === undefined ? [] : [run.traceId + id]))
}

function ofRoot({ rootSpanId }: Run, { isOfRoot }: Lending): string | undefined {
  return isOfRoot ? rootSpanId : undefined
}

function lenderOf(run: Run, lending: Lending): string | undefined {
  return ofRoot(run, lending) ?? lending.lender
}

function toRow(run: Run, texts: ReadonlyMap<string, Row>): Row {
  const { input, output, usage } = run
  const textIn = (span: string | undefined, column: string) => {
    const row = texts.get(run.traceId + (span ?? ''))
    return row === undefined ? '' : textOf(row, column)
  }
  const rootOutput = textIn(ofRoot(run, output), 'output_text')
  return {
    trace: run.traceId,
    root_name: run.name,
    is_failed: Number(run.isError),
    root_duration: String(run.durationNs),
    root_input: textIn(ofRoot(run, input), 'input_text'),
    root_output: rootOutput,
    input_text: textIn(lenderOf(run, input), 'input_text'),
    output_text: run.isError ? rootOutput : textIn(lenderOf(run, output), 'output_text'),
    root_build_id: run.buildId,
    session: run.sessionId,
    user: run.userId,
    models: run.models,
    trace_cost_source: run.costSource,
    span_count: run.spanCount,
    error_span_count: run.errorSpanCount,
    input_token_sum: String(usage.inputTokens),
    output_token_sum: String(usage.outputTokens),
    cached_token_sum: String(usage.cachedTokens),
    reasoning_token_sum: String(usage.reasoningTokens),
    cost_sum: String(usage.costNanoUsd),
    is_miscounted: 0,
    root_span_hex: run.rootSpanId,
    input_order: input.order,
    output_order: output.order,
    input_gaps: input.gaps,
    output_gaps: output.gaps,
  }
}
