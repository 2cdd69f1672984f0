import type { Schemas } from '@slipway/client'

import { hint, lines, table, type Block, type Cell } from '../../output/blocks.ts'
import { compact, dollars, percent } from '../../output/numbers.ts'
import { sparkline } from '../../output/sparkline.ts'
import type { Style } from '../../output/style.ts'
import { ago, durationOf, millis } from '../../output/times.ts'
import { wrap } from '../../output/wrap.ts'
import type { AgentMetrics } from './result.ts'

type Bucket = Schemas['MetricsBucket']

/** What a line has besides its bars: the longest name, the longest number, and gaps. */
const OTHER_COLUMNS = 26

/** How many bars a terminal has room for. */
export function columnsForBars(columns: number): number {
  return Math.max(8, columns - OTHER_COLUMNS)
}

/** The metrics for a terminal: a line of bars for each, and the models or builds. */
export function viewMetrics(
  { summary, metrics }: AgentMetrics,
  columns: number,
  by: 'model' | 'build' | undefined,
): readonly Block[] {
  const { total_traces: total, metrics: all } = summary
  const { groups, tokens_estimated: isEstimate } = metrics
  if (total === 0 && (groups ?? []).length === 0)
    return [lines(...wrap(`no runs in ${rangeOf(metrics)}; --since 7d shows more`, columns))]
  // A latency of no runs is unknown, and not 0.
  const latency = (of: (bucket: Bucket) => number) => (bucket: Bucket) =>
    bucket.trace_count === 0 ? undefined : of(bucket)
  const perHour = all.traces_per_hour
  const shownPerHour = perHour < 10 ? perHour.toFixed(1) : compact(perHour).text
  const row = rowOf(metrics.buckets)
  return [
    lines(
      ...wrap(`${rangeOf(metrics)}, each bar ${minutesText(metrics.interval_minutes)}`, columns),
    ),
    table({
      columns: [{ title: '' }, { title: '', shrinkTo: 8 }, { title: 'ALL', align: 'right' }],
      rows: [
        row('runs', ({ trace_count: count }) => count, compact(total).text),
        row('per hour', undefined, shownPerHour),
        row('errors', ({ error_count: count }) => count, errors(all), 'bad'),
        row(
          'p50',
          latency(({ p50_latency_ms: ms }) => ms),
          millis(all.p50_latency_ms),
        ),
        row(
          'p95',
          latency(({ p95_latency_ms: ms }) => ms),
          millis(all.p95_latency_ms),
        ),
        row('tokens', tokensOf, compact(all.total_tokens).text),
        row('cost', ({ cost_usd: cost }) => cost, dollars(all.cost_usd).text),
      ],
      empty: '',
    }),
    ...(groups === undefined ? [] : [groupTable(groups, by)]),
    ...(isEstimate
      ? [hint('some tokens may be counted twice: many calls are in several spans')]
      : []),
  ]
}

function rowOf(buckets: readonly Bucket[]) {
  return (
    title: string,
    value: ((bucket: Bucket) => number | undefined) | undefined,
    all: string,
    style: Style = 'accent',
  ): Cell[] => [
    { text: title, style: 'faint' },
    { text: value === undefined ? '' : sparkline(buckets.map(value)), style },
    all,
  ]
}

function groupTable(groups: readonly Schemas['MetricsGroup'][], by: string | undefined): Block {
  return table({
    columns: [
      { title: by === 'build' ? 'BUILD' : 'MODEL', shrinkTo: 8 },
      { title: by === 'build' ? 'RUNS' : 'CALLS', align: 'right' },
      { title: 'ERRORS', align: 'right' },
      { title: 'P50', align: 'right', fromColumns: 72 },
      { title: 'P95', align: 'right', fromColumns: 60 },
      { title: 'TOKENS', align: 'right', fromColumns: 50 },
      { title: 'COST', align: 'right' },
    ],
    rows: groups.map((group) => [
      group.name === undefined ? '(others)' : group.name || '(no name)',
      compact(group.request_count),
      {
        text: compact(group.error_count).text,
        style: group.error_count > 0 ? 'bad' : undefined,
      },
      millis(group.p50_latency_ms),
      millis(group.p95_latency_ms),
      compact(tokensOf(group)),
      dollars(group.cost_usd),
    ]),
    empty: `no ${by ?? 'model'} in this range`,
  })
}

function tokensOf(of: Bucket | Schemas['MetricsGroup']): number {
  return of.input_tokens + of.output_tokens
}

function errors({ error_count: count, error_rate: rate }: Schemas['SummaryMetrics']): string {
  return count === 0 ? '0' : `${compact(count).text} (${percent(rate)})`
}

/** Like `24 h, to 3 h ago`. */
function rangeOf({ time_range: { start, end } }: Schemas['Metrics']): string {
  const length = durationOf(Math.round((Date.parse(end) - Date.parse(start)) / 1000))
  const isToNow = Date.now() - Date.parse(end) < 60_000
  return isToNow ? `the last ${length}` : `${length} that ended ${ago(end).text}`
}

function minutesText(minutes: number): string {
  return durationOf(minutes * 60)
}
