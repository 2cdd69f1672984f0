import { LRUCache } from 'lru-cache'

import { HOUR_NS, hoursIn, isHourIn, partsOutside, splitParts } from '../domain/hours.ts'
import { NO_PARTIAL_TOTALS, type PartialTotals } from '../domain/totals.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { readChangedHours } from './changed-hours.ts'
import { readRuns } from './read-runs.ts'
import { totalsOfRuns } from './run-totals.ts'
import { sumTracesByHour } from './trace-totals.ts'
import type { TraceScope } from './traces-sql.ts'

/** The totals of about four million traces. */
const MAX_BYTES = 32 * 1024 * 1024
const BYTES_OF_HOUR = 512
/** One query reads at most so many hours. What it has read is kept also if the next one fails. */
const MAX_HOURS = 7 * 24
/**
 * Spans are visible to queries at the latest so long after they got their version. Includes the
 * difference between the clocks of replicas.
 */
const VISIBLE_AFTER_US = 600_000_000
const US_PER_HOUR = 3.6e9

/** The totals of the traces that started in an hour. */
interface KnownHour {
  readonly totals: PartialTotals
  /** All spans up to this version are included. */
  readonly version: number
  /** How many hours were read at once, if tokens are estimated for that; otherwise 0. */
  readonly estimatedOver: number
}

type AgentHours = ReadonlyMap<number, KnownHour>

/** What is known about a range; hours are sorted. */
interface FoundHours {
  readonly past: readonly number[]
  readonly known: AgentHours
  /** A query that starts now sees all spans up to this version. */
  readonly version: number
}

/** Totals of a range by hour. */
export interface HourlyTotals {
  /** Hours without traces may be omitted. */
  readonly hours: ReadonlyMap<number, PartialTotals>
  /** Whether tokens are estimated; see TraceResult. */
  readonly isEstimate: boolean
}

/**
 * The totals of past hours, in memory: queries of a range read only its first and last minutes. An
 * hour is read again when spans of its traces have arrived since, which their versions tell.
 */
export class KnownHours {
  readonly #agents = new LRUCache<string, AgentHours>({
    maxSize: MAX_BYTES,
    sizeCalculation: (hours) =>
      hours
        .values()
        .reduce((sum, { totals }) => sum + BYTES_OF_HOUR + totals.durations.byteLength, 1),
  })

  /** Returns the totals of a range by hour, also of the hours that are partly in it. */
  async read(reader: TraceReader, scope: TraceScope): Promise<HourlyTotals> {
    return await this.#complete(reader, scope, await this.#find(reader, scope))
  }

  /** Returns the totals of the past hours of a range, in order; reads those that aren't known. */
  async past(reader: TraceReader, scope: TraceScope): Promise<ReadonlyMap<number, PartialTotals>> {
    const found = await this.#find(reader, scope)
    const { past, known } = found
    if (known.size === past.length)
      return new Map([...known].map(([hour, { totals }]) => [hour, totals]))
    const { hours } = await this.#complete(reader, scope, found)
    return new Map(past.map((hour) => [hour, hours.get(hour) ?? NO_PARTIAL_TOTALS]))
  }

  /** Reads the parts of a range that aren't known. */
  async #complete(
    reader: TraceReader,
    scope: TraceScope,
    { past, known, version }: FoundHours,
  ): Promise<HourlyTotals> {
    const all = partsOutside(scope.range, [...known.keys()])
    const others = [...known].filter(([hour]) => !isHourIn(hour, all))
    const hours = new Map(others.map(([hour, { totals }]) => [hour, totals]))
    let isEstimate = others.some(([, { estimatedOver }]) => estimatedOver > 0)
    for (const parts of splitParts(all, MAX_HOURS)) {
      const read = await readParts(reader, { ...scope, parts })
      for (const [hour, totals] of read.totals) hours.set(hour, totals)
      isEstimate ||= read.isEstimate
      const own = past.filter((hour) => isHourIn(hour, parts))
      const estimatedOver = read.isEstimate ? own.length : 0
      const kept = own.map((hour) => {
        const totals = read.totals.get(hour) ?? NO_PARTIAL_TOTALS
        return [hour, { totals, version, estimatedOver }] as const
      })
      this.#keep(scope, kept)
    }
    return { hours, isEstimate }
  }

  /** Finds the past hours of a range, and those of them that are known and haven't changed. */
  async #find(reader: TraceReader, scope: TraceScope): Promise<FoundHours> {
    const version = scope.settledBeforeUs - VISIBLE_AFTER_US
    const past = pastHours(scope, version)
    const known = this.#agents.get(keyOf(scope))
    const found = past.flatMap((hour) => {
      const own = known?.get(hour)
      return own === undefined || own.estimatedOver > past.length ? [] : [[hour, own] as const]
    })
    const [first, last] = [found.at(0)?.[0], found.at(-1)?.[0]]
    if (first === undefined || last === undefined) return { past, known: new Map(), version }
    const since = found.reduce((oldest, [, own]) => Math.min(oldest, own.version), version)
    const changed = await readChangedHours(reader, scope, { first, last, since })
    const unchanged = found
      .filter(([hour]) => !changed.has(hour))
      .map(([hour, own]) => [hour, { ...own, version: Math.max(version, own.version) }] as const)
    this.#keep(scope, unchanged)
    return { past, known: new Map(unchanged), version }
  }

  /** Keeps the totals of hours, and drops those that are no longer shown. */
  #keep(scope: TraceScope, hours: readonly (readonly [number, KnownHour])[]): void {
    if (hours.length === 0) return
    const known = this.#agents.get(keyOf(scope)) ?? []
    const oldest = scope.settledBeforeUs / US_PER_HOUR - scope.retentionDays * 24
    const kept = [...known, ...hours].filter(([hour]) => hour >= oldest)
    this.#agents.set(keyOf(scope), new Map(kept))
  }
}

async function readParts(reader: TraceReader, scope: TraceScope) {
  const runs = await readRuns(reader, scope)
  if (runs === undefined) return await sumTracesByHour(reader, scope)
  const hours = Map.groupBy(runs, ({ startTimeNs }) => Number(startTimeNs / HOUR_NS))
  const totals = [...hours].map(([hour, members]) => [hour, totalsOfRuns(members)] as const)
  return { totals: new Map(totals), isEstimate: false }
}

/** The hours of a range whose spans have mostly arrived. */
function pastHours({ range }: TraceScope, version: number): readonly number[] {
  const visibleNs = BigInt(Math.max(0, version)) * 1000n
  return hoursIn({ ...range, endNs: range.endNs < visibleNs ? range.endNs : visibleNs })
}

function keyOf({ accountId, agent, agentId }: TracedAgent): string {
  return [accountId, agentId, agent].join('/')
}
