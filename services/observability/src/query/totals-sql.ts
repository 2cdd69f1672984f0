import { bigintOf, numberOf, type Row } from './query-rows.ts'

/** The totals of a set of requests: of traces, or of calls of models. */
export interface Totals {
  readonly count: number
  readonly errorCount: number
  readonly durationSumNs: bigint
  /** Percentiles by nearest rank; 0 if there are no requests. */
  readonly p50Ns: bigint
  readonly p95Ns: bigint
  readonly p99Ns: bigint
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly cachedTokens: bigint
  readonly costNanoUsd: bigint
  /** The times to the first token of the calls that report it, and how many these are. */
  readonly firstTokenSumNs: bigint
  readonly firstTokenCount: number
}

/** The totals of an empty set. */
export const NO_REQUESTS: Totals = {
  count: 0,
  errorCount: 0,
  durationSumNs: 0n,
  p50Ns: 0n,
  p95Ns: 0n,
  p99Ns: 0n,
  inputTokens: 0n,
  outputTokens: 0n,
  cachedTokens: 0n,
  costNanoUsd: 0n,
  firstTokenSumNs: 0n,
  firstTokenCount: 0,
}

/**
 * Returns the nearest-rank percentile of the sorted durations in `column`, whose numbers are twice
 * the nanoseconds and the status.
 */
function percentile(column: string, percent: number): string {
  return `toString(intDiv(${column}[intDiv(count() * ${percent} + 99, 100)], 2))`
}

/**
 * The aggregates of a group of requests. Each request has `root_facts`, `has_failed_run`, and the
 * sums of its tokens, costs and times to the first token; `sorted_facts` are the sorted
 * `root_facts`. Numbers that may exceed 2^53 are strings.
 */
export const TOTALS = {
  trace_counts: 'count()',
  error_counts: 'countIf(root_facts % 2 = 1 OR has_failed_run)',
  duration_sums: 'toString(sum(toUInt128(intDiv(root_facts, 2))))',
  p50s: percentile('sorted_facts', 50),
  p95s: percentile('sorted_facts', 95),
  p99s: percentile('sorted_facts', 99),
  input_tokens: 'toString(sum(input_token_sum))',
  output_tokens: 'toString(sum(output_token_sum))',
  cached_tokens: 'toString(sum(cached_token_sum))',
  costs: 'toString(sum(cost_sum))',
  first_token_sums: 'toString(sum(first_token_sum))',
  first_token_counts: 'sum(first_token_count)',
}

/** Converts a row with the columns of TOTALS. */
export function toTotals(row: Row): Totals {
  return {
    count: numberOf(row, 'trace_counts'),
    errorCount: numberOf(row, 'error_counts'),
    durationSumNs: bigintOf(row, 'duration_sums'),
    p50Ns: bigintOf(row, 'p50s'),
    p95Ns: bigintOf(row, 'p95s'),
    p99Ns: bigintOf(row, 'p99s'),
    inputTokens: bigintOf(row, 'input_tokens'),
    outputTokens: bigintOf(row, 'output_tokens'),
    cachedTokens: bigintOf(row, 'cached_tokens'),
    costNanoUsd: bigintOf(row, 'costs'),
    firstTokenSumNs: bigintOf(row, 'first_token_sums'),
    firstTokenCount: numberOf(row, 'first_token_counts'),
  }
}
