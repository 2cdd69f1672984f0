import { meanMilliseconds, toDollars, toInt64, toMilliseconds } from '../domain/measures.ts'
import type { Totals } from '../domain/totals.ts'

/** Converts totals to the fields that a bucket, a group and a summary have in common. */
export function measuredTotals(totals: Totals) {
  return {
    errorCount: BigInt(totals.errorCount),
    avgLatencyMs: meanMilliseconds(totals.durationSumNs, totals.count),
    p50LatencyMs: toMilliseconds(totals.p50Ns),
    p95LatencyMs: toMilliseconds(totals.p95Ns),
    p99LatencyMs: toMilliseconds(totals.p99Ns),
    inputTokens: toInt64(totals.inputTokens),
    outputTokens: toInt64(totals.outputTokens),
    cachedTokens: toInt64(totals.cachedTokens),
    costUsd: toDollars(totals.costNanoUsd),
    firstTokenMs: meanMilliseconds(totals.firstTokenSumNs, totals.firstTokenCount),
  }
}
