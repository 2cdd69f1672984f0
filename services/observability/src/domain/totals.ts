/** Sums over a set of requests: of traces, or of calls of models. */
export interface Sums {
  readonly count: number
  readonly errorCount: number
  readonly durationSumNs: bigint
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly cachedTokens: bigint
  readonly costNanoUsd: bigint
  /** The times to the first token of the calls that report it, and how many these are. */
  readonly firstTokenSumNs: bigint
  readonly firstTokenCount: number
}

/** The totals of a set of requests. */
export interface Totals extends Sums {
  /** Percentiles by nearest rank; 0 if there are no requests. */
  readonly p50Ns: bigint
  readonly p95Ns: bigint
  readonly p99Ns: bigint
}

/** Totals that can be combined with others. */
export interface PartialTotals extends Sums {
  /** In nanoseconds, sorted. */
  readonly durations: Float64Array
}

const NO_SUMS: Sums = {
  count: 0,
  errorCount: 0,
  durationSumNs: 0n,
  inputTokens: 0n,
  outputTokens: 0n,
  cachedTokens: 0n,
  costNanoUsd: 0n,
  firstTokenSumNs: 0n,
  firstTokenCount: 0,
}

/** The totals of an empty set. */
export const NO_REQUESTS: Totals = { ...NO_SUMS, p50Ns: 0n, p95Ns: 0n, p99Ns: 0n }
/** The same, to be combined with others. */
export const NO_PARTIAL_TOTALS: PartialTotals = { ...NO_SUMS, durations: new Float64Array() }

/** Combines the totals of disjoint sets. */
export function combineTotals(parts: readonly PartialTotals[]): Totals {
  const durations = parts.map((part) => part.durations)
  const percentile = (percent: number) => BigInt(nearestRank(durations, percent))
  return {
    ...parts.reduce<Sums>(add, NO_SUMS),
    p50Ns: percentile(50),
    p95Ns: percentile(95),
    p99Ns: percentile(99),
  }
}

function add(a: Sums, b: Sums): Sums {
  return {
    count: a.count + b.count,
    errorCount: a.errorCount + b.errorCount,
    durationSumNs: a.durationSumNs + b.durationSumNs,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
    firstTokenSumNs: a.firstTokenSumNs + b.firstTokenSumNs,
    firstTokenCount: a.firstTokenCount + b.firstTokenCount,
  }
}

/** Halvings after which a range of 64 bits is a single number. */
const HALVINGS = 64

/**
 * Returns a percentile of integers in sorted lists: the smallest one that is at least as large as
 * `percent` of all. Bisects the range of values, so that long lists need not be merged.
 */
function nearestRank(lists: readonly Float64Array[], percent: number): number {
  const total = lists.reduce((sum, list) => sum + list.length, 0)
  if (total === 0) return 0
  const rank = Math.floor((total * percent + 99) / 100)
  let low = 0
  let high = lists.reduce((most, list) => Math.max(most, list.at(-1) ?? 0), 0)
  for (let halving = 0; low < high && halving < HALVINGS; halving += 1) {
    const middle = low + Math.floor((high - low) / 2)
    const count = lists.reduce((sum, list) => sum + countUpTo(list, middle), 0)
    if (count >= rank) high = middle
    else low = middle + 1
  }
  return high
}

/** Returns how many values of a sorted list are at most a number. */
function countUpTo(list: Float64Array, value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}
