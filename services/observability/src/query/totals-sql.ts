import type { Sums, Totals } from '../domain/totals.ts'
import { bigintOf, numberOf, type Row } from './query-rows.ts'

/**
 * Returns the nearest-rank percentile of the sorted durations in `column`, whose numbers are twice
 * the nanoseconds and the status.
 */
function percentile(column: string, percent: number): string {
  return `toString(intDiv(${column}[intDiv(count() * ${percent} + 99, 100)], 2))`
}

/**
 * The sums of a group of requests. Each request has `root_facts`, `has_failed_run`, and the sums of
 * its tokens, costs and times to the first token. Numbers that may exceed 2^53 are strings.
 */
export const SUMS = {
  trace_counts: 'count()',
  error_counts: 'countIf(root_facts % 2 = 1 OR has_failed_run)',
  duration_sums: 'toString(sum(toUInt128(intDiv(root_facts, 2))))',
  input_tokens: 'toString(sum(input_token_sum))',
  output_tokens: 'toString(sum(output_token_sum))',
  cached_tokens: 'toString(sum(cached_token_sum))',
  costs: 'toString(sum(cost_sum))',
  first_token_sums: 'toString(sum(first_token_sum))',
  first_token_counts: 'sum(first_token_count)',
}

/** SUMS and percentiles; `sorted_facts` are the sorted `root_facts`. */
export const TOTALS = {
  ...SUMS,
  p50s: percentile('sorted_facts', 50),
  p95s: percentile('sorted_facts', 95),
  p99s: percentile('sorted_facts', 99),
}

/** Converts a row with the columns of SUMS. */
export function toSums(row: Row): Sums {
  return {
    count: numberOf(row, 'trace_counts'),
    errorCount: numberOf(row, 'error_counts'),
    durationSumNs: bigintOf(row, 'duration_sums'),
    inputTokens: bigintOf(row, 'input_tokens'),
    outputTokens: bigintOf(row, 'output_tokens'),
    cachedTokens: bigintOf(row, 'cached_tokens'),
    costNanoUsd: bigintOf(row, 'costs'),
    firstTokenSumNs: bigintOf(row, 'first_token_sums'),
    firstTokenCount: numberOf(row, 'first_token_counts'),
  }
}

/** Converts a row with the columns of TOTALS. */
export function toTotals(row: Row): Totals {
  return {
    ...toSums(row),
    p50Ns: bigintOf(row, 'p50s'),
    p95Ns: bigintOf(row, 'p95s'),
    p99Ns: bigintOf(row, 'p99s'),
  }
}
