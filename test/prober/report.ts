import type { Described, KindCounts, Tally } from './tally.ts'

/** How many missing things are named; all are counted. */
const NAMED = 50

/** The result of a probe. */
export interface Report {
  /** Whether there was no failure, and nothing is missing. */
  readonly ok: boolean
  readonly url: string
  readonly rate: number
  readonly seconds: number
  readonly sent: number
  /** Requests that were not sent, because too many were running. */
  readonly held_back: number
  readonly missing_count: number
  /** What was acknowledged and was not found again. */
  readonly missing: readonly string[]
  /** The first failures. */
  readonly failures: readonly Described[]
  readonly kinds: Readonly<Record<string, KindCounts>>
}

/** Makes the report. */
export function reportOf(found: {
  readonly url: string
  readonly rate: number
  readonly seconds: number
  readonly heldBack: number
  readonly missing: readonly string[]
  readonly tally: Tally
}): Report {
  const { url, rate, seconds, heldBack, missing, tally } = found
  const kinds = tally.kinds()
  const all = Object.values(kinds)
  return {
    ok: missing.length === 0 && all.every((counts) => failuresOf(counts) === 0),
    url,
    rate,
    seconds: Math.round(seconds * 10) / 10,
    sent: all.reduce((sum, { sent }) => sum + sent, 0),
    held_back: heldBack,
    missing_count: missing.length,
    missing: missing.slice(0, NAMED),
    failures: tally.described,
    kinds,
  }
}

function failuresOf(counts: KindCounts): number {
  const { resets, refusals, timeouts, broken, server_errors, rejections, lost } = counts
  return resets + refusals + timeouts + broken + lost + sum(server_errors) + sum(rejections)
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

const HEAD = ',sent,acked,reset,refused,timeout,5xx,other,retried,lost,p50 ms,p99 ms,slowest'.split(
  ',',
)

/** The report for people. */
export function tableOf(report: Report): string {
  const rows = Object.entries(report.kinds).map(([name, counts]) => [
    name,
    counts.sent,
    counts.acknowledged,
    counts.resets,
    counts.refusals,
    counts.timeouts,
    sum(counts.server_errors),
    sum(counts.rejections) + counts.broken,
    sum(counts.retried),
    counts.lost,
    counts.p50_ms,
    counts.p99_ms,
    counts.slowest_ms,
  ])
  const lines = [HEAD, ...rows].map((row) =>
    row.map((cell, index) => (index === 0 ? String(cell).padEnd(14) : String(cell).padStart(8))),
  )
  const { failures, missing, missing_count: count, held_back: held } = report
  return [
    ...lines.map((cells) => cells.join('')),
    ...failures.map((each) => `${each.at_s} s  ${each.kind}: ${each.problem}  ${each.detail}`),
    ...missing.map((each) => `missing: ${each}`),
    `${report.sent} requests in ${report.seconds} s, ${held} not sent, ${count} missing: ` +
      (report.ok ? 'ok' : 'NOT OK'),
  ].join('\n')
}
