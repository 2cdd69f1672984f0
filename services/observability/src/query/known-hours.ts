import { LRUCache } from 'lru-cache'

import {
  HOUR_NS,
  hoursOver,
  isHourIn,
  isHourWithin,
  isTimeIn,
  joinHours,
  partOf,
  splitParts,
} from '../domain/hours.ts'
import type { PartialTotals } from '../domain/totals.ts'
import type { TraceRange } from '../domain/trace-range.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import {
  bytesOf,
  hourOfRuns,
  hourOfTotals,
  trimmed,
  withChanges,
  type AgentHour,
  type AgentHours,
} from './agent-hours.ts'
import { readChangedHours } from './changed-hours.ts'
import { readChangedTraces, readRuns } from './read-runs.ts'
import type { Run } from './run.ts'
import { totalsOfRuns } from './run-totals.ts'
import { sumTracesByHour, type GroupedTotals } from './trace-totals.ts'
import type { TraceScope } from './traces-sql.ts'

/** The totals of some millions of traces. */
const MAX_BYTES = 64 * 1024 * 1024
/** More hours are read as totals, and fewer trace by trace. */
const MAX_HOURS_OF_RUNS = 4
/** One query reads at most so many hours. What it has read is kept also if the next one fails. */
const MAX_HOURS = 7 * 24
/**
 * Spans are visible to queries at the latest so long after they got their version. Includes the
 * difference between the clocks of replicas.
 */
const VISIBLE_AFTER_US = 600_000_000
const US_PER_HOUR = 3.6e9
const MAX_FUTURE_HOURS = 48
/** Later pages are not read trace by trace. */
const MAX_WANTED = 4_000

/** Totals of a range by hour. */
export interface HourlyTotals {
  /** Hours without traces may be omitted. */
  readonly hours: ReadonlyMap<number, PartialTotals>
  /** Whether tokens are estimated; see TraceResult. */
  readonly isEstimate: boolean
}

/** The newest traces of a range. */
export interface NewestRuns {
  readonly runs: readonly Run[]
  /** The number of traces of the range that are older. */
  readonly otherCount: number
}

/**
 * What is known of the traces of agents, in memory, by the hour in which they started. Before it is
 * used, the traces of which spans have arrived since are read again, as their versions show. So
 * queries of a long range read little.
 */
export class KnownHours {
  readonly #agents = new LRUCache<string, AgentHours>({
    maxSize: MAX_BYTES,
    sizeCalculation: bytesOf,
  })

  /** Returns the totals of a range by hour, also of the hours that are partly in it. */
  async read(reader: TraceReader, scope: TraceScope): Promise<HourlyTotals> {
    const { hours, edges } = await this.#load(reader, scope)
    const own = [...hours].map(
      ([hour, known]) => [hour, totalsIn(scope.range, hour, known)] as const,
    )
    const isEstimate = hours.values().some(({ estimatedOver }) => estimatedOver > 0)
    return {
      hours: new Map([...own, ...(edges?.totals ?? [])]),
      isEstimate: isEstimate || edges?.isEstimate === true,
    }
  }

  /**
   * Returns at least so many of the newest traces of a range, if it has so many, in any order.
   * Returns undefined if they have too many spans to be read one by one.
   */
  async newest(
    reader: TraceReader,
    scope: TraceScope,
    wanted: number,
  ): Promise<NewestRuns | undefined> {
    if (wanted > MAX_WANTED) return undefined
    const { state, hours, edges } = await this.#load(reader, scope)
    if (edges !== undefined) return undefined
    const counts = [...hours].map(
      ([hour, known]) => [hour, totalsIn(scope.range, hour, known).count] as const,
    )
    let count = 0
    const newest: number[] = []
    for (const [hour, own] of counts.toSorted(([a], [b]) => b - a)) {
      if (count >= wanted) break
      count += own
      if (own > 0) newest.push(hour)
    }
    const unread = newest.filter((hour) => hours.get(hour)?.runs === undefined)
    const read = await this.#readRuns(reader, scope, { hours: unread, state })
    if (read === undefined) return undefined
    const runs = newest.flatMap((hour) => {
      const own = read.hours.get(hour) ?? hours.get(hour)
      return [...(own?.runs?.values() ?? [])]
    })
    const total = counts.reduce((sum, [, own]) => sum + own, 0)
    return {
      runs: runs.filter(({ startTimeNs }) => isTimeIn(startTimeNs, [scope.range])),
      otherCount: total - count,
    }
  }

  /** Finds what is known of the hours of a range, and reads the others. */
  async #load(reader: TraceReader, scope: TraceScope): Promise<LoadedHours> {
    let state = await this.#update(reader, scope)
    const range = hoursOver(scope.range, lastHourOf(scope))
    const isWhole = (hour: number) => isHourWithin(hour, scope.range)
    const found = new Map<number, AgentHour>()
    for (const hour of range) {
      const known = state.hours.get(hour)
      if (known === undefined || known.estimatedOver > range.length) continue
      if (known.runs !== undefined || isWhole(hour)) found.set(hour, known)
    }
    const missing = range.filter((hour) => !found.has(hour))
    const edges = missing.filter((hour) => !isWhole(hour))
    const few = missing.length <= MAX_HOURS_OF_RUNS ? missing : edges
    const read = await this.#readRuns(reader, scope, { hours: few, state })
    for (const [hour, own] of read?.hours ?? []) found.set(hour, own)
    state = read?.state ?? state
    const others = missing.filter((hour) => isWhole(hour) && !found.has(hour))
    for (const parts of splitParts(joinHours(others), MAX_HOURS)) {
      const { totals, isEstimate } = await sumTracesByHour(reader, { ...scope, parts })
      const own = others.filter((hour) => isHourIn(hour, parts))
      const estimatedOver = isEstimate ? own.length : 0
      const sums = own.map((hour) => [hour, hourOfTotals(totals.get(hour), estimatedOver)] as const)
      for (const [hour, each] of sums) found.set(hour, each)
      state = this.#add(scope, state, new Map(sums))
    }
    const loaded = { state, hours: found }
    if (read !== undefined || edges.length === 0) return { ...loaded, edges: undefined }
    const parts = edges.map((hour) => partOf(hour, scope.range))
    return { ...loaded, edges: await sumTracesByHour(reader, { ...scope, parts }) }
  }

  /** Brings what is known of an agent up to date. */
  async #update(reader: TraceReader, scope: TraceScope): Promise<AgentHours> {
    const version = Math.max(0, scope.settledBeforeUs - VISIBLE_AFTER_US)
    const known = this.#agents.get(keyOf(scope))
    if (known === undefined) return { version, included: new Set(), hours: new Map() }
    const changed = await readChangedTraces(reader, scope, known)
    const updated = {
      version: Math.max(version, known.version),
      included: changed?.included ?? new Set<string>(),
      hours:
        changed === undefined
          ? await withoutChanged(reader, scope, known)
          : withChanges(known.hours, changed.traces, hourOf),
    }
    const isCurrent = this.#agents.get(keyOf(scope)) === known
    return isCurrent ? this.#set(scope, updated) : this.#add(scope, updated, updated.hours)
  }

  /** Reads the traces of hours one by one; undefined if they have too many spans. */
  async #readRuns(
    reader: TraceReader,
    scope: TraceScope,
    { hours, state }: { hours: readonly number[]; state: AgentHours },
  ): Promise<{ state: AgentHours; hours: ReadonlyMap<number, AgentHour> } | undefined> {
    if (hours.length === 0) return { state, hours: new Map() }
    const runs = await readRuns(reader, { ...scope, parts: joinHours(hours) })
    if (runs === undefined) return undefined
    const byHour = Map.groupBy(runs, hourOf)
    const read = new Map(hours.map((hour) => [hour, hourOfRuns(byHour.get(hour) ?? [])]))
    return { state: this.#add(scope, state, read), hours: read }
  }

  /**
   * Adds hours that were read after `state` was known. If another call has replaced it meanwhile,
   * only what has the lower version is certain to be in all hours.
   */
  #add(scope: TraceScope, state: AgentHours, hours: ReadonlyMap<number, AgentHour>): AgentHours {
    const current = this.#agents.get(keyOf(scope))
    const isCurrent = current === state || current === undefined
    return this.#set(scope, {
      version: Math.min(state.version, current?.version ?? state.version),
      included: isCurrent ? state.included : new Set(),
      hours: new Map([...(current?.hours ?? []), ...hours]),
    })
  }

  #set(scope: TraceScope, state: AgentHours): AgentHours {
    const oldest = scope.settledBeforeUs / US_PER_HOUR - scope.retentionDays * 24 - 1
    const kept = { ...state, hours: trimmed(state.hours, oldest) }
    this.#agents.set(keyOf(scope), kept)
    return kept
  }
}

interface LoadedHours {
  /** All that is known of the agent. */
  readonly state: AgentHours
  /** The hours of the range. */
  readonly hours: ReadonlyMap<number, AgentHour>
  /** The totals of the hours that are partly in the range, if they have too many spans. */
  readonly edges: GroupedTotals<number, PartialTotals> | undefined
}

/** Drops the hours in which traces have spans of which a span has arrived since. */
async function withoutChanged(
  reader: TraceReader,
  scope: TraceScope,
  { version, hours }: AgentHours,
): Promise<ReadonlyMap<number, AgentHour>> {
  const sorted = [...hours.keys()].toSorted((a, b) => a - b)
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  if (first === undefined || last === undefined) return hours
  const changed = await readChangedHours(reader, scope, { first, last, since: version })
  return new Map([...hours].filter(([hour]) => !changed.has(hour)))
}

function totalsIn(range: TraceRange, hour: number, { totals, runs }: AgentHour): PartialTotals {
  if (isHourWithin(hour, range)) return totals
  const own = [...(runs?.values() ?? [])]
  return totalsOfRuns(own.filter(({ startTimeNs }) => isTimeIn(startTimeNs, [range])))
}

function hourOf({ startTimeNs }: Run): number {
  return Number(startTimeNs / HOUR_NS)
}

/** Spans that start later than a day after they arrive are rejected. */
function lastHourOf({ settledBeforeUs }: TraceScope): number {
  return Math.ceil(settledBeforeUs / US_PER_HOUR) + MAX_FUTURE_HOURS
}

function keyOf({ accountId, agent, agentId }: TracedAgent): string {
  return [accountId, agentId, agent].join('/')
}
