import type { SpanRow } from '@slipway/words/span-rows'

/**
 * The spans that say why something failed: a message that several report is shown once, of the
 * innermost; spans without a message only if none has one.
 */
export function causes(errors: readonly SpanRow[]): readonly SpanRow[] {
  const saying = errors.filter((row) => core(row) !== '').toSorted((a, b) => b.depth - a.depth)
  const kept: SpanRow[] = []
  for (const row of saying)
    if (!kept.some((other) => core(row).includes(core(other)) || core(other).includes(core(row))))
      kept.push(row)
  return kept.length > 0 ? errors.filter((row) => kept.includes(row)) : errors
}

/** The message of a span without what quoting it changes. */
function core({ span }: SpanRow): string {
  return (span.status_message ?? '').replaceAll(/["'`\\\s]+/g, '')
}
