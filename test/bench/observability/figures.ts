import type { IngestResult } from './ingest-load.ts'
import type { Latencies, QueryResult } from './queries.ts'

// The goals of each figure.
const SPANS_GOAL = 38_000
const MEMORY_GOAL = 1.1
/** The 95th percentiles of queries of a day and of a month. Others are rarer and more expensive. */
const P95_GOALS_MS: Readonly<Record<string, readonly [number, number]>> = {
  page: [35, 60],
  buckets: [35, 60],
  summary: [35, 60],
  sessions: [150, Infinity],
}
const RATIO_GOAL = 2
const GROWTH_GOAL = 1.5

/** A result with the number of traces and the range in days. */
export interface SizedResult extends QueryResult {
  readonly size: number
  readonly days: number
}

/** The rate of stored spans, and whether memory is stable after the first third of the time. */
export function ingestFigure(
  { spansPerSecond, logsPerSecond, bytesPerSpan, processorUs, refused, memoryMib }: IngestResult,
  load: { seconds: number; connections: number },
): object {
  const third = Math.ceil(memoryMib.length / 3)
  const growth = mean(memoryMib.slice(-third)) / mean(memoryMib.slice(-2 * third, -third))
  return {
    figure: 'ingest',
    compared_with: 'the goal; memory in the last third of the time with the middle third',
    ...load,
    spans_per_second: spansPerSecond,
    logs_per_second: logsPerSecond,
    processor_us: Object.fromEntries(
      Object.entries(processorUs).map(([part, us]) => [part, rounded(us)]),
    ),
    bytes_per_span: bytesPerSpan,
    refused,
    goal_spans_per_second: SPANS_GOAL,
    memory_mib: memoryMib,
    ratio: rounded(growth),
    goal_ratio: MEMORY_GOAL,
    met: spansPerSecond >= SPANS_GOAL && growth <= MEMORY_GOAL,
  }
}

/** The latency of a query over RPC and directly on the engine. */
export function queryFigure(
  { name, rpc, direct, firstMs }: QueryResult,
  { traces, days }: { traces: number; days: number },
): object {
  const ratio = rpc.p50 / direct.p50
  const goals = P95_GOALS_MS[name.split(' ', 1)[0] ?? '']
  const goalMs = goals?.[days === 1 ? 0 : 1] ?? Infinity
  return {
    figure: `${name} of ${days} d`,
    compared_with: 'the same SQL directly on the engine',
    traces,
    slipway: inMs(rpc),
    first_ms: rounded(firstMs),
    engine: inMs(direct),
    ratio: rounded(ratio),
    goal_ratio: RATIO_GOAL,
    ...(goalMs === Infinity ? {} : { goal_p95_ms: goalMs }),
    met: ratio <= RATIO_GOAL && rpc.p95 <= goalMs,
  }
}

/** The growth of the latency of a day's page and summary with the number of days stored. */
export function* growthFigures(results: readonly SizedResult[]): Iterable<object> {
  const wanted = results.filter(
    ({ name, days }) => days === 1 && (name === 'page' || name === 'summary'),
  )
  for (const [name, sized] of Map.groupBy(wanted, ({ name }) => name)) {
    const [few, many] = [sized.at(0), sized.at(-1)]
    if (few === undefined || many === undefined) continue
    const ratio = many.rpc.p50 / few.rpc.p50
    yield {
      figure: `growth of ${name} of 1 d`,
      compared_with: `${few.size} traces at the same density`,
      traces: many.size,
      few: inMs(few.rpc),
      many: inMs(many.rpc),
      ratio: rounded(ratio),
      goal_ratio: GROWTH_GOAL,
      met: ratio <= GROWTH_GOAL,
    }
  }
}

function inMs({ p50, p95 }: Latencies): object {
  return { p50_ms: rounded(p50), p95_ms: rounded(p95) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
