import { columnsOf, table, type Block } from '../../output/blocks.ts'
import { spanRows, type Trace } from '@slipway/words/span-rows'

const TITLES =
  'DEPTH START_MS TOOK_MS STATUS TYPE NAME MODEL INPUT_TOKENS OUTPUT_TOKENS COST_USD SPAN ERROR ' +
  'INPUT OUTPUT'

/** A row for each span, for a pipe. */
export function viewPlain({ spans }: Trace): readonly Block[] {
  const rows = spanRows(spans).map(({ span, depth, startMs }) => [
    String(depth),
    String(startMs),
    String(span.latency_ms),
    span.status,
    span.type ?? '',
    span.tool_name ?? span.name,
    span.model ?? '',
    String(span.input_tokens),
    String(span.output_tokens),
    span.cost_usd === undefined ? '' : String(span.cost_usd),
    span.span_id,
    span.status_message ?? '',
    span.input,
    span.output,
  ])
  return [table({ columns: columnsOf(TITLES), rows, empty: '' })]
}
