import type { PartialTotals } from '../domain/totals.ts'
import type { Run } from './run.ts'

/** Returns the totals of some traces. */
export function totalsOfRuns(runs: readonly Run[]): PartialTotals {
  const sum = (amountOf: (run: Run) => bigint) =>
    runs.reduce((total, run) => total + amountOf(run), 0n)
  return {
    count: runs.length,
    errorCount: runs.filter(({ isError }) => isError).length,
    durationSumNs: sum(({ durationNs }) => durationNs),
    durations: Float64Array.from(runs, ({ durationNs }) => Number(durationNs)).sort(),
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    cachedTokens: sum(({ usage }) => usage.cachedTokens),
    costNanoUsd: sum(({ usage }) => usage.costNanoUsd),
    firstTokenSumNs: sum(({ firstTokenSumNs }) => firstTokenSumNs),
    firstTokenCount: runs.reduce((total, run) => total + run.firstTokenCount, 0),
  }
}
