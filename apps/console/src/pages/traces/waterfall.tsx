import { compact, dollars } from '@slipway/words/numbers'
import type { SpanRow } from '@slipway/words/span-rows'
import { millis } from '@slipway/words/times'

import { visible } from '../../text/visible.ts'

interface WaterfallProps {
  readonly rows: readonly SpanRow[]
  readonly chosen: string | undefined
  readonly onChoose: (spanId: string) => void
}

/** How far spans are moved to the right, of the width of their column: names must stay visible. */
const DEEPEST = '35%'

/** The spans of a trace on a time axis. Each is a button that shows its details. */
export function Waterfall({ rows, chosen, onChoose }: WaterfallProps) {
  const wholeMs = Math.max(1, ...rows.map(({ startMs, span }) => startMs + span.latency_ms))
  return (
    <ol className="waterfall" aria-label="Spans">
      {rows.map((row) => (
        <li key={row.span.span_id}>
          <button
            type="button"
            className={`span-row ${row.span.type ?? 'other'}`}
            aria-pressed={row.span.span_id === chosen}
            onClick={() => onChoose(row.span.span_id)}
          >
            <span
              className="span-name"
              title={nameOf(row)}
              style={{ paddingInlineStart: indentOf(row) }}
            >
              <span className="span-type">{row.span.type ?? 'span'}</span>
              {row.span.status === 'error' && <span className="bad">✖ </span>}
              <bdi>{nameOf(row)}</bdi>
            </span>
            <Bar row={row} wholeMs={wholeMs} />
            <span className="span-took">{millis(row.span.latency_ms)}</span>
            <span className="span-cost">{costOf(row)}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Bar({ row: { startMs, span }, wholeMs }: { readonly row: SpanRow; wholeMs: number }) {
  const percent = (ms: number) => `${(100 * ms) / wholeMs}%`
  return (
    <span className="span-track" aria-hidden="true">
      <span
        className={span.status === 'error' ? 'span-bar failed' : 'span-bar'}
        style={{ insetInlineStart: percent(startMs), width: percent(span.latency_ms) }}
      />
    </span>
  )
}

function indentOf({ depth }: SpanRow): string {
  return `min(${depth * 0.9}rem, ${DEEPEST})`
}

function nameOf({ span }: SpanRow): string {
  return visible(span.tool_name ?? span.name) || '(no name)'
}

function costOf({ span }: SpanRow): string {
  const tokens = span.input_tokens + span.output_tokens
  const parts = [
    tokens === 0 ? '' : `${compact(tokens)} tokens`,
    span.cost_usd === undefined ? '' : dollars(span.cost_usd),
  ]
  return parts.filter(Boolean).join(', ')
}
