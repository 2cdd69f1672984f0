import { quantile, runLoad, type LoadOptions, type LoadResult } from './load.ts'
import type { Measured } from './process.ts'

const WARM_UP_MS = 2_000

/** One of the two systems in a comparison. */
export interface Contender {
  readonly load: Pick<LoadOptions, 'url' | 'request'>
  /** The processes whose CPU time counts. */
  readonly processes: readonly Measured[]
}

/** A comparison. */
export interface CompareOptions {
  readonly slipway: Contender
  readonly bare: Contender
  readonly connections: number
  readonly rounds: number
  readonly roundMs: number
  /** The expected status of all responses. */
  readonly status: number
}

/** The totals of a contender over all rounds. */
export interface Totals {
  readonly requests: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
  /** CPU time of its processes per request. */
  readonly cpu_us: number
}

/** The result of a comparison. */
export interface Comparison {
  readonly slipway: Totals
  readonly bare: Totals
  /** Slipway's requests per second divided by those of the bare system. */
  readonly ratio: number
  /** Slipway's CPU time per request divided by that of the bare system; steady on busy machines. */
  readonly cpu_ratio: number
  /** The index of the next unused request of each. */
  readonly nextIndex: Readonly<Record<'slipway' | 'bare', number>>
}

/** Compares both at full load in alternating rounds, so that other processes slow down both. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { slipway, bare, connections, roundMs, rounds, status } = options
  const counters = { slipway: new Counter(slipway, status), bare: new Counter(bare, status) }
  const both = [counters.slipway, counters.bare] as const
  // Warms up compiled code, connections and caches.
  for (const counter of both) await counter.run({ connections, durationMs: 2 * roundMs })
  for (const counter of both) counter.reset()
  for (const counter of alternate(both, rounds)) {
    await counter.run({ connections, durationMs: roundMs })
  }
  const totals = { slipway: counters.slipway.totals(), bare: counters.bare.totals() }
  return {
    ...totals,
    ratio: rounded(totals.slipway.per_second / totals.bare.per_second, 3),
    cpu_ratio: rounded(totals.slipway.cpu_us / totals.bare.cpu_us, 2),
    nextIndex: { slipway: counters.slipway.nextIndex, bare: counters.bare.nextIndex },
  }
}

/** Measures both at half the rate of a full comparison, in alternating rounds. */
export async function compareAtHalfLoad(
  full: Comparison,
  { slipway, bare, status, connections, rounds, roundMs }: CompareOptions,
): Promise<Record<'slipway' | 'bare', Totals>> {
  const counters = {
    slipway: new Counter(slipway, status, full.nextIndex.slipway),
    bare: new Counter(bare, status, full.nextIndex.bare),
  }
  const both = [
    { counter: counters.slipway, rate: full.slipway.per_second / 2 },
    { counter: counters.bare, rate: full.bare.per_second / 2 },
  ] as const
  // Opens the additional connections, and lets the work that full load left behind finish.
  for (const { counter, rate } of both) {
    await counter.run({ connections, durationMs: WARM_UP_MS, rate })
  }
  for (const { counter } of both) counter.reset()
  for (const { counter, rate } of alternate(both, rounds)) {
    await counter.run({ connections, durationMs: roundMs, rate })
  }
  return { slipway: counters.slipway.totals(), bare: counters.bare.totals() }
}

/** Yields both sides once per round; the first one changes from round to round. */
function* alternate<Side>(sides: readonly [Side, Side], rounds: number): Generator<Side> {
  for (let round = 0; round < rounds; round += 1) {
    yield* round % 2 === 0 ? sides : sides.toReversed()
  }
}

/** Runs load on a contender and adds up the results. */
class Counter {
  readonly #contender: Contender
  readonly #status: number
  #results: LoadResult[] = []
  #cpuMs = 0
  #index: number

  constructor(contender: Contender, status: number, firstIndex = 0) {
    this.#contender = contender
    this.#status = status
    this.#index = firstIndex
  }

  async run(options: { connections: number; durationMs: number; rate?: number }): Promise<void> {
    const before = this.#cpu()
    const { connections, durationMs, rate } = options
    const result = await runLoad({
      ...this.#contender.load,
      connections,
      durationMs,
      firstIndex: this.#index,
      ...(rate === undefined ? {} : { rate }),
    })
    this.#cpuMs += this.#cpu() - before
    this.#index += result.requests
    const wrong = Object.keys(result.statuses).filter((status) => status !== String(this.#status))
    if (wrong.length > 0)
      throw new Error(`statuses other than ${this.#status}: ${JSON.stringify(result.statuses)}`)
    this.#results.push(result)
  }

  get nextIndex(): number {
    return this.#index
  }

  reset(): void {
    this.#results = []
    this.#cpuMs = 0
  }

  totals(): Totals {
    const requests = this.#results.reduce((sum, result) => sum + result.requests, 0)
    const seconds = this.#results.reduce((sum, result) => sum + result.seconds, 0)
    const latencies = Float64Array.from(
      this.#results.flatMap((result) => [...result.latencies]),
    ).sort()
    const at = (fraction: number) => rounded(quantile({ latencies }, fraction), 2)
    return {
      requests,
      per_second: Math.round(requests / seconds),
      p50_ms: at(0.5),
      p95_ms: at(0.95),
      p99_ms: at(0.99),
      cpu_us: rounded((this.#cpuMs * 1000) / requests, 1),
    }
  }

  #cpu(): number {
    return this.#contender.processes.reduce((sum, process) => sum + process.cpuMs(), 0)
  }
}

/** Rounds a number to a number of decimal digits. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** The median of numbers; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
