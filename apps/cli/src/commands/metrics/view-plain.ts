import type { Schemas } from '@slipway/client'

import { columnsOf, table, type Block } from '../../output/blocks.ts'
import type { AgentMetrics } from './result.ts'

/** A row for each bucket, or for each model or build, for a pipe. */
export function viewPlain({ metrics: { buckets, groups } }: AgentMetrics): readonly Block[] {
  const rows =
    groups === undefined
      ? buckets.map((each) => row(each.timestamp, each.trace_count, each))
      : groups.map((each) => row(each.name ?? '', each.request_count, each))
  const columns = columnsOf(`${groups === undefined ? 'START' : 'NAME'} ${NUMBERS}`)
  return [table({ columns, rows, empty: '' })]
}

const NUMBERS = 'RUNS ERRORS P50_MS P95_MS INPUT_TOKENS OUTPUT_TOKENS COST_USD'

function row(
  title: string,
  requests: number,
  totals: Schemas['MetricsBucket'] | Schemas['MetricsGroup'],
): string[] {
  const { error_count, p50_latency_ms, p95_latency_ms, input_tokens, output_tokens } = totals
  const numbers = [requests, error_count, p50_latency_ms, p95_latency_ms, input_tokens]
  return [title, ...numbers.map(String), String(output_tokens), String(totals.cost_usd ?? '')]
}
