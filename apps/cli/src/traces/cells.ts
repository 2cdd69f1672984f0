import type { Schemas } from '@slipway/client'

import type { Cell, Column } from '../output/blocks.ts'
import { compact, dollars } from '../output/numbers.ts'
import { ago, millis } from '../output/times.ts'

/** Digits of a trace id that tell a few thousand traces apart. */
const SHORT_ID = 8
/** What is enough of an input for any terminal. */
const MOST_TEXT = 500

export const traceColumns: readonly Column[] = [
  { title: '', plain: 'STATUS' },
  { title: 'TRACE' },
  { title: 'STARTED' },
  { title: 'TOOK', align: 'right' },
  { title: 'TOKENS', align: 'right', fromColumns: 50 },
  { title: 'COST', align: 'right', fromColumns: 60 },
  { title: 'NAME', shrinkTo: 8, fromColumns: 100 },
  { title: 'MODEL', shrinkTo: 8, fromColumns: 120 },
  { title: 'INPUT', shrinkTo: 8, fromColumns: 72 },
]

/** The start of an id, for a terminal. Commands take it for recent traces. */
export function shortTraceId(id: string): string {
  return id.slice(0, SHORT_ID)
}

/** A row of {@link traceColumns}; in a pipe with more values. */
export function traceRow(trace: Schemas['TraceEntry']): readonly Cell[] {
  const { trace_id: id, status, timestamp, latency_ms: latency, input, models } = trace
  return [
    statusCell(status),
    { text: shortTraceId(id), plain: id },
    ago(timestamp),
    { text: millis(latency), plain: String(latency) },
    compact(trace.input_tokens + trace.output_tokens),
    dollars(trace.cost_usd),
    trace.name,
    models.join(' '),
    { text: input.slice(0, MOST_TEXT), plain: input },
  ]
}

/** A sign for people, and a word for programs. */
export function statusCell(status: Schemas['TraceStatus']): Cell {
  return status === 'ok'
    ? { text: '✓', style: 'good', plain: status }
    : { text: '✗', style: 'bad', plain: status }
}
