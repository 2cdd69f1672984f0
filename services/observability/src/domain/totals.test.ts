import fc from 'fast-check'
import { expect, test } from 'vitest'

import { combineTotals, NO_PARTIAL_TOTALS } from './totals.ts'

const duration = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.constant(2 ** 62),
)

test('percentiles of parts are those of all their durations by nearest rank', () => {
  fc.assert(
    fc.property(fc.array(fc.array(duration, { maxLength: 9 }), { maxLength: 9 }), (lists) => {
      const parts = lists.map((list) => ({
        ...NO_PARTIAL_TOTALS,
        count: list.length,
        durations: Float64Array.from(list).sort(),
      }))
      const sorted = lists.flat().toSorted((a, b) => a - b)
      const at = (percent: number) =>
        BigInt(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0)
      expect(combineTotals(parts)).toMatchObject({
        count: sorted.length,
        p50Ns: at(50),
        p95Ns: at(95),
        p99Ns: at(99),
      })
    }),
  )
})

test('sums of parts are added', () => {
  const part = {
    count: 1,
    errorCount: 2,
    durationSumNs: 3n,
    inputTokens: 2n ** 64n,
    outputTokens: 5n,
    cachedTokens: 6n,
    costNanoUsd: 7n,
    firstTokenSumNs: 8n,
    firstTokenCount: 9,
    durations: new Float64Array([3]),
  }
  expect(combineTotals([part, part])).toEqual({
    count: 2,
    errorCount: 4,
    durationSumNs: 6n,
    inputTokens: 2n ** 65n,
    outputTokens: 10n,
    cachedTokens: 12n,
    costNanoUsd: 14n,
    firstTokenSumNs: 16n,
    firstTokenCount: 18,
    p50Ns: 3n,
    p95Ns: 3n,
    p99Ns: 3n,
  })
})
