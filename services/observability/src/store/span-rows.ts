import type { SpanOwner, StoredSpan } from '../domain/span.ts'

/** The columns of a span's row, in order. */
export const SPAN_COLUMNS = [
  'account_id',
  'agent',
  'deployment_id',
  'build_id',
  'version',
  'start_time',
  'trace_hex',
  'span_hex',
  'parent_hex',
  'root_rank',
  'duration_ns',
  'is_error',
  'kind',
  'input_tokens',
  'output_tokens',
  'model',
  'name',
  'status_message',
  'input',
  'output',
  'attributes',
  'events',
] as const

/**
 * Writes spans of one owner as TabSeparated rows. `nextVersion` returns a higher number at each
 * call.
 */
export function writeSpanRows(
  owner: SpanOwner,
  spans: readonly StoredSpan[],
  nextVersion: () => number,
): string {
  const ownerColumns = [owner.accountId, owner.agent, owner.deploymentId, owner.buildId]
    .map(escapeTabs)
    .join('\t')
  let rows = ''
  for (const span of spans) {
    const { traceId, spanId, parentSpanId, rootRank, durationNs, kind } = span
    rows +=
      `${ownerColumns}\t${nextVersion()}\t${decimalSeconds(span.startTimeNs)}\t` +
      `${traceId}\t${spanId}\t${parentSpanId}\t${rootRank}\t${durationNs}\t` +
      `${span.isError ? 1 : 0}\t${kind}\t${span.inputTokens}\t${span.outputTokens}\t` +
      `${escapeTabs(span.model)}\t${escapeTabs(span.name)}\t` +
      `${escapeTabs(span.statusMessage)}\t${escapeTabs(span.input)}\t` +
      `${escapeTabs(span.output)}\t${escapeTabs(span.attributes)}\t` +
      `${escapeTabs(span.events)}\n`
  }
  return rows
}

/** Expects a time after 2001, with at least ten digits before the nanoseconds. */
function decimalSeconds(ns: bigint): string {
  const digits = ns.toString()
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

const SPECIAL = /[\\\t\n\r\0\b\f]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
}

function escapeTabs(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? character)
}
