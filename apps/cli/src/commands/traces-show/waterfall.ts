import type { Cell } from '../../output/blocks.ts'
import { fit } from '../../output/fit.ts'
import { compact, dollars } from '../../output/numbers.ts'
import type { Style } from '../../output/style.ts'
import { millis } from '../../output/times.ts'
import { bar } from '../../traces/bar.ts'
import type { Span, SpanRow } from '@slipway/words/span-rows'

const GAP = '  '

/** A column of the waterfall. */
interface Part {
  readonly title: string
  readonly columns: number
  readonly align?: 'right'
  readonly text: (row: SpanRow) => string
  readonly style?: (row: SpanRow) => Style | undefined
}

const STYLES: Partial<Record<NonNullable<Span['type']>, Style>> = {
  agent: 'strong',
  model: 'accent',
  tool: 'hue2',
  retrieval: 'hue4',
}

/** The lines of a waterfall on a terminal of this width, with a line of titles. */
export function waterfall(rows: readonly SpanRow[], columns: number): Cell[][] {
  const parts = layout(rows, columns)
  const titles = parts.map(({ title, columns: width, align }): Cell[] => [
    { text: fit(title, width, align), style: 'faint' },
  ])
  const line = (cells: readonly (readonly Cell[])[]) =>
    cells.flatMap((cell, index) => (index === 0 ? [...cell] : [GAP, ...cell]))
  return [
    line(titles),
    ...rows.map((row) =>
      line(
        parts.map(({ text, columns: width, align, style }): Cell[] => [
          { text: fit(text(row), width, align), style: style?.(row) },
        ]),
      ),
    ),
  ]
}

/** Which columns there is room for. The bars have the most of it, and names a third. */
function layout(rows: readonly SpanRow[], columns: number): Part[] {
  const wholeMs = Math.max(0, ...rows.map(({ startMs, span }) => startMs + span.latency_ms))
  const longest = Math.max(4, ...rows.map((row) => nameOf(row).length))
  const nameColumns = Math.min(longest, Math.max(12, Math.floor(columns / 3)))
  const name = {
    title: 'SPAN',
    columns: nameColumns,
    text: (row: SpanRow) => nameOf(row, Math.floor(nameColumns / 3)),
    style: ({ span }: SpanRow) => (span.status === 'error' ? 'bad' : undefined),
  } as const
  const took = { title: 'TOOK', columns: 8, align: 'right', text: tookOf } as const
  const optional = [
    { from: 60, title: 'TYPE', columns: 9, text: ({ span }: SpanRow) => span.type ?? '' },
    { from: 76, title: 'TOKENS', columns: 6, align: 'right' as const, text: tokensOf },
    { from: 90, title: 'COST', columns: 8, align: 'right' as const, text: costOf },
    { from: 110, title: 'MODEL', columns: 20, text: ({ span }: SpanRow) => span.model ?? '' },
  ].filter(({ from, text }) => columns >= from && rows.some((row) => text(row) !== ''))
  const used = [name, took, ...optional].reduce((sum, part) => sum + part.columns + GAP.length, 0)
  const barColumns = Math.max(4, columns - used)
  return [
    name,
    {
      title: '',
      columns: barColumns,
      text: ({ startMs, span }) => bar(startMs, span.latency_ms, wholeMs, barColumns),
      style: ({ span }) =>
        span.status === 'error' ? 'bad' : span.type === undefined ? 'faint' : STYLES[span.type],
    },
    took,
    ...optional,
  ]
}

/** The name behind its branch. Only the end of a deep one is shown, so that names stay visible. */
function nameOf({ branch, span }: SpanRow, mostOfBranch = Infinity): string {
  const name = span.tool_name ?? span.name
  const shown = branch.length <= mostOfBranch ? branch : `…${branch.slice(1 - mostOfBranch)}`
  return `${shown}${span.status === 'error' ? '✗ ' : ''}${name || '(no name)'}`
}

function tookOf({ span }: SpanRow): string {
  return millis(span.latency_ms)
}

function tokensOf({ span }: SpanRow): string {
  const tokens = span.input_tokens + span.output_tokens
  return tokens === 0 ? '' : compact(tokens).text
}

function costOf({ span }: SpanRow): string {
  return span.cost_usd === undefined ? '' : dollars(span.cost_usd).text
}
