import { byStart, type TraceSpan } from './trace-tree.ts'

/** The fields of a call that decide whether another one reports the same. */
export type ReportedCall = Pick<
  TraceSpan,
  | 'spanId'
  | 'startTimeNs'
  | 'durationNs'
  | 'responseKey'
  | 'inputTokens'
  | 'outputTokens'
  | 'totalInputTokens'
  | 'totalOutputTokens'
>

const NO_RESPONSE = '0'

/**
 * Returns the first report of each call. A response id alone isn't an identity: some servers draw
 * it from a few numbers. Reports with the same id are those of one call if they overlap in time, or
 * have the same tokens.
 */
export function firstReports<Call extends ReportedCall>(calls: readonly Call[]): readonly Call[] {
  const firsts = new Set(
    [...Map.groupBy(calls, ({ responseKey }) => responseKey)].flatMap(([key, reports]) =>
      key === NO_RESPONSE || reports.length === 1 ? reports : firstOfEach(reports),
    ),
  )
  return calls.filter((call) => firsts.has(call)).toSorted(byStart)
}

/** The tokens of a report, as text. */
function tokensOf(call: ReportedCall): string {
  const input = call.inputTokens || call.totalInputTokens
  return `${input}/${call.outputTokens || call.totalOutputTokens}`
}

/** Joins the reports that overlap, and then those joined that have the same tokens. */
function firstOfEach<Call extends ReportedCall>(reports: readonly Call[]): readonly Call[] {
  const overlapping: Call[][] = []
  let endNs = -1n
  for (const report of reports.toSorted(byStart)) {
    const { startTimeNs, durationNs } = report
    if (startTimeNs > endNs || overlapping.length === 0) overlapping.push([report])
    else overlapping.at(-1)?.push(report)
    if (startTimeNs + durationNs > endNs) endNs = startTimeNs + durationNs
  }
  const groups = overlapping.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (groups[root] !== root) root = groups[root] ?? root
    groups[index] = root
    return root
  }
  const byTokens = new Map<string, number>()
  for (const [index, joined] of overlapping.entries()) {
    for (const tokens of joined.map(tokensOf)) {
      const [a, b] = [rootOf(byTokens.get(tokens) ?? index), rootOf(index)]
      byTokens.set(tokens, Math.min(a, b))
      groups[Math.max(a, b)] = Math.min(a, b)
    }
  }
  return overlapping.flatMap((joined, index) => (rootOf(index) === index ? joined.slice(0, 1) : []))
}
