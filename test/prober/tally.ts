import { quantile } from '../bench/support/load.ts'
import { isAcknowledged, isCutWait, problemOf, type Failure, type Outcome } from './outcome.ts'

/** How many failures of each kind and problem are described; all are counted. */
const DESCRIBED = 5

/** The counts of one kind of request. */
export interface KindCounts {
  readonly sent: number
  /** Answered 2xx. */
  readonly acknowledged: number
  readonly resets: number
  readonly refusals: number
  readonly timeouts: number
  /** Any other connection error. */
  readonly broken: number
  /** 5xx by status and code. */
  readonly server_errors: Readonly<Record<string, number>>
  /** Other answers without success, by status and code. */
  readonly rejections: Readonly<Record<string, number>>
  /** Deploys that were acknowledged, but whose wait ended early. */
  readonly cut_waits: number
  /** First answers that the sender may retry and did retry, by status and code. */
  readonly retried: Readonly<Record<string, number>>
  /** Sent without success, also after retries. */
  readonly lost: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly slowest_ms: number
}

/** A request that failed. */
export interface Described {
  /** Seconds since the start. */
  readonly at_s: number
  readonly kind: string
  readonly problem: string
  readonly detail: string
}

const FAILURES: Readonly<Record<Failure, 'resets' | 'refusals' | 'timeouts' | 'broken'>> = {
  reset: 'resets',
  refused: 'refusals',
  timeout: 'timeouts',
  broken: 'broken',
}

/** Counts outcomes by kind of request. */
export class Tally {
  readonly #startedAt = performance.now()
  readonly #kinds = new Map<string, Kind>()
  readonly described: Described[] = []

  /** Counts the first answer to a request; `isRetried` if the sender tries again because of it. */
  count(kind: string, sentAt: number, outcome: Outcome, isRetried = false): void {
    const counts = this.#kind(kind)
    counts.sent += 1
    counts.latencies.push(performance.now() - sentAt)
    const problem = problemOf(outcome)
    if (isAcknowledged(outcome)) counts.acknowledged += 1
    if (isCutWait(outcome)) counts.cut_waits += 1
    if (problem === undefined) return
    if ('failure' in outcome) counts[FAILURES[outcome.failure]] += 1
    else {
      const list = outcome.status >= 500 ? counts.server_errors : counts.rejections
      add(isRetried ? counts.retried : list, problem)
    }
    const detail = 'failure' in outcome ? outcome.detail : detailOf(outcome.body)
    this.describe(kind, problem, detail)
  }

  /** Counts what was never acknowledged, also after retries. */
  countLost(kind: string): void {
    this.#kind(kind).lost += 1
  }

  describe(kind: string, problem: string, detail: string): void {
    const alike = this.described.filter((each) => each.kind === kind && each.problem === problem)
    if (alike.length >= DESCRIBED) return
    const seconds = (performance.now() - this.#startedAt) / 1000
    this.described.push({ at_s: Number(seconds.toFixed(2)), kind, problem, detail })
  }

  kinds(): Readonly<Record<string, KindCounts>> {
    const entries = [...this.#kinds].map(([name, { latencies, ...counts }]) => {
      const sorted = { latencies: Float64Array.from(latencies).sort() }
      const at = (fraction: number) => Math.round(quantile(sorted, fraction) * 10) / 10
      return [name, { ...counts, p50_ms: at(0.5), p99_ms: at(0.99), slowest_ms: at(1) }] as const
    })
    return Object.fromEntries(entries)
  }

  #kind(name: string): Kind {
    const known = this.#kinds.get(name) ?? new Kind()
    this.#kinds.set(name, known)
    return known
  }
}

class Kind {
  sent = 0
  acknowledged = 0
  resets = 0
  refusals = 0
  timeouts = 0
  broken = 0
  cut_waits = 0
  lost = 0
  readonly server_errors: Record<string, number> = {}
  readonly rejections: Record<string, number> = {}
  readonly retried: Record<string, number> = {}
  readonly latencies: number[] = []
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}

function detailOf(body: unknown): string {
  return (typeof body === 'string' ? body : JSON.stringify(body ?? '')).slice(0, 300)
}
