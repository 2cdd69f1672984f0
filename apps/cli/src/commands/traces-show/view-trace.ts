import { fields, hint, lines, type Block, type Cell } from '../../output/blocks.ts'
import { compact, dollars } from '../../output/numbers.ts'
import { ago, millis } from '../../output/times.ts'
import { wrap } from '../../output/wrap.ts'
import { spanRows, type SpanRow, type Trace } from '@slipway/words/span-rows'
import { causes } from './causes.ts'
import { waterfall } from './waterfall.ts'

/** Bounds of what is shown, unless the user wants all. */
const MOST_SPANS = 200
const MOST_LINES = 12

/** A trace for a terminal: its totals, its waterfall, what failed, and its input and output. */
export function viewTrace(trace: Trace, columns: number, withSpans: boolean): readonly Block[] {
  const all = spanRows(trace.spans)
  const rows = withSpans ? all : all.slice(0, MOST_SPANS)
  const errors = all.filter(({ span }) => span.status === 'error')
  const mostLines = withSpans ? Infinity : MOST_LINES
  return [
    lines({ text: trace.trace_id, style: 'strong' }),
    totals(trace, columns),
    lines(...waterfall(rows, columns)),
    ...(errors.length === 0
      ? []
      : [
          lines(
            ...causes(errors)
              .slice(0, MOST_LINES)
              .flatMap((row) => failure(row, columns)),
          ),
        ]),
    ...texts('input', trace.input, columns, mostLines),
    ...texts('output', trace.output, columns, mostLines),
    ...(withSpans ? all.flatMap((row) => details(row, columns)) : []),
    ...(rows.length < all.length
      ? [hint(`${rows.length} of ${all.length} spans; --spans shows all`)]
      : []),
    ...(trace.truncated
      ? [hint('the trace is too large to be shown whole; slipway traces export has all')]
      : []),
  ]
}

function totals(trace: Trace, columns: number): Block {
  const { name, status, timestamp, latency_ms, cost_usd, models } = trace
  const { input_tokens: sent, output_tokens: received, cached_tokens: cached } = trace
  const { text: when } = ago(timestamp)
  const parts = [`${compact(sent).text} in`, `${compact(received).text} out`]
  return fields({
    name,
    status: { text: status, style: status === 'ok' ? 'good' : 'bad' },
    started: columns < 50 ? timestamp : `${timestamp} (${when})`,
    took: millis(latency_ms),
    tokens:
      sent + received === 0
        ? undefined
        : `${parts.join(', ')}${cached > 0 ? `, ${compact(cached).text} cached` : ''}`,
    cost: cost_usd === undefined ? undefined : dollars(cost_usd),
    models: models.length === 0 ? undefined : models.join(', '),
    session: trace.session_id,
    user: trace.user_id,
  })
}

/** Why a span failed. */
function failure({ span }: SpanRow, columns: number): Cell[] {
  const text = `✗ ${span.tool_name ?? span.name}: ${span.status_message ?? 'failed'}`
  return wrap(text, columns).map((line) => ({ text: line, style: 'bad' }))
}

/** A titled text. Only the first lines of a long one. */
function texts(title: string, text: string, columns: number, mostLines: number): Block[] {
  if (text === '') return []
  const all = wrap(text, columns - 2)
  const shown = all.slice(0, mostLines)
  const rest = all.length - shown.length
  return [
    lines(
      { text: title, style: 'faint' },
      ...shown.map((line) => `  ${line}`),
      ...(rest > 0
        ? [{ text: `  … ${rest} more lines; --spans shows all`, style: 'faint' as const }]
        : []),
    ),
  ]
}

/** What a span got and gave. */
function details({ span }: SpanRow, columns: number): Block[] {
  const name = span.tool_name ?? span.name
  return [
    ...texts(`${name} (${span.span_id}) input`, span.input, columns, Infinity),
    ...texts(`${name} (${span.span_id}) output`, span.output, columns, Infinity),
  ]
}
