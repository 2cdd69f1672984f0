import { quantile, runLoad, type LoadOptions, type LoadResult } from './load.ts'
import type { Measured } from './process.ts'

const WARM_UP_MS = 2_000

/** One of the two things that are compared. */
export interface Contender {
  readonly load: Pick<LoadOptions, 'url' | 'request'>
  /** Everything whose processor time counts. */
  readonly processes: readonly Measured[]
}

/** How a comparison is made. */
export interface CompareOptions {
  readonly slipway: Contender
  readonly bare: Contender
  readonly connections: number
  readonly rounds: number
  readonly roundMs: number
  /** The status that every answer must have. */
  readonly status: number
}

/** What a contender did over all rounds. */
export interface Totals {
  readonly requests: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
  /** Processor time of its processes for one request. */
  readonly cpu_us: number
}

/** What both did. */
export interface Comparison {
  readonly slipway: Totals
  readonly bare: Totals
  /** Requests a second of the one by those of the other. */
  readonly ratio: number
  /** The first request that each was not asked yet. */
  readonly nextIndex: Readonly<Record<'slipway' | 'bare', number>>
}

/**
 * Both in the same run, round by round in turn, so that whatever else the machine does hits both.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { slipway, bare, connections, roundMs, rounds, status } = options
  const ours = new Counter(slipway, status)
  const theirs = new Counter(bare, status)
  // Code gets its optimised form, connections and caches their content.
  for (const counter of [ours, theirs]) await counter.run({ connections, durationMs: 2 * roundMs })
  for (const counter of [ours, theirs]) counter.reset()
  for (const counter of inTurn(ours, theirs, rounds))
    await counter.run({ connections, durationMs: roundMs })
  const [left, right] = [ours.totals(), theirs.totals()]
  return {
    slipway: left,
    bare: right,
    ratio: rounded(left.per_second / right.per_second, 3),
    nextIndex: { slipway: ours.nextIndex, bare: theirs.nextIndex },
  }
}

/** How both answer at half the rate that they reached in a comparison, in turn as well. */
export async function compareAtHalfLoad(
  full: Comparison,
  { slipway, bare, status, connections, rounds, roundMs }: CompareOptions,
): Promise<Record<'slipway' | 'bare', Totals>> {
  const ours = {
    counter: new Counter(slipway, status, full.nextIndex.slipway),
    rate: full.slipway.per_second / 2,
  }
  const theirs = {
    counter: new Counter(bare, status, full.nextIndex.bare),
    rate: full.bare.per_second / 2,
  }
  // Connections that weren't there under full load are opened, and what that leaves behind is done
  // with.
  for (const { counter, rate } of [ours, theirs])
    await counter.run({ connections, durationMs: WARM_UP_MS, rate })
  for (const { counter } of [ours, theirs]) counter.reset()
  for (const { counter, rate } of inTurn(ours, theirs, rounds)) {
    await counter.run({ connections, durationMs: roundMs, rate })
  }
  return { slipway: ours.counter.totals(), bare: theirs.counter.totals() }
}

/** Both once a round; who begins changes from round to round. */
function* inTurn<Side>(ours: Side, theirs: Side, rounds: number): Generator<Side> {
  for (let round = 0; round < rounds; round += 1)
    yield* round % 2 === 0 ? [ours, theirs] : [theirs, ours]
}

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
      throw new Error(`answers other than ${this.#status}: ${JSON.stringify(result.statuses)}`)
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

/** A number as it is printed. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
