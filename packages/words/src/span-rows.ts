import type { Schemas } from '@slipway/client'

export type Trace = Schemas['Trace']
export type Span = Schemas['Span']

/** A span of a waterfall. */
export interface SpanRow {
  readonly span: Span
  readonly depth: number
  /** The lines that connect it with its parent, like `│ └ `. */
  readonly branch: string
  /** Milliseconds after the start of the earliest span. */
  readonly startMs: number
}

/** The spans of a trace as a waterfall has them: children below their parents, by start. */
export function spanRows(roots: readonly Span[]): SpanRow[] {
  const flat: Omit<SpanRow, 'startMs'>[] = []
  // Not recursive: a trace can be deep.
  const open = sorted(roots)
    .map((span) => ({ span, depth: 0, branch: '', below: '' }))
    .toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { span, depth, branch, below } = next
    flat.push({ span, depth, branch })
    const children = sorted(span.children)
    for (const [index, child] of children.toReversed().entries()) {
      const isLast = index === 0
      open.push({
        span: child,
        depth: depth + 1,
        branch: `${below}${isLast ? '└ ' : '├ '}`,
        below: `${below}${isLast ? '  ' : '│ '}`,
      })
    }
  }
  const times = flat.map(({ span }) => Date.parse(span.timestamp))
  const startMs = times.reduce((least, time) => Math.min(least, time), Infinity)
  return flat.map((row, index) => ({ ...row, startMs: (times[index] ?? startMs) - startMs }))
}

function sorted(spans: readonly Span[]): Span[] {
  return spans.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
}
