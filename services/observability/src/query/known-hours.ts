import { LRUCache } from 'lru-cache'

import { hourOf, hoursLong, hoursOver, isHourWithin, joinHours, partOf } from '../domain/hours.ts'
import type { PartialTotals } from '../domain/totals.ts'
import type { TraceReader } from '../store/trace-store.ts'
import {
  bytesOf,
  countIn,
  runsIn,
  totalsIn,
  hourOfRuns,
  hourOfTotals,
  type AgentHour,
  type AgentHours,
} from './agent-hours.ts'
import { keyOf, lastHourOf, updatedHours, withinBounds } from './agent-updates.ts'
import { readRuns } from './read-runs.ts'
import type { Run } from './run.ts'
import { sumTracesByHour, type GroupedTotals } from './trace-totals.ts'
import type { TraceScope } from './traces-sql.ts'

/** The memory of what is known of all agents. */
const MAX_BYTES = 64 * 1024 * 1024
/** A longer name of an agent isn't one. */
const MAX_KEY_LENGTH = 1_000
/** The maximum number of spans whose traces are read one by one. */
const MAX_SPANS = 8_000
/** If more hours are missing, they are read as totals, except for those partly in the range. */
const MAX_HOURS_OF_RUNS = 4
/** Later pages are not read trace by trace. */
const MAX_WANTED = 4_000
/** How many hours the first query reads as totals, and about how many traces each of the next. */
const FIRST_HOURS = 24
const TRACES_OF_QUERY = 200_000

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
 * Caches what is known of the traces of agents, by the hour in which they started. Before use, it
 * reads the traces again whose spans have arrived since, by their versions. So queries of a long
 * range read little.
 */
export class KnownHours {
  readonly #agents = new LRUCache<string, AgentHours>({
    maxSize: MAX_BYTES,
    sizeCalculation: bytesOf,
  })
  readonly #maxSpans: number

  /** `maxSpans` is the maximum number of spans whose traces are read one by one. */
  constructor(maxSpans: number = MAX_SPANS) {
    this.#maxSpans = maxSpans
  }

  /** Forgets everything, as when the store was replaced. */
  clear(): void {
    this.#agents.clear()
  }

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
   * Returns at least a number of the newest traces of a range, or all if it has fewer, in any
   * order. Returns undefined if they have too many spans to be read one by one.
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
      ([hour, known]) => [hour, countIn(scope.range, hour, known)] as const,
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
    const known = newest.map((hour) => read.hours.get(hour) ?? hours.get(hour))
    if (known.some((hour) => hour?.runs === undefined)) return undefined
    const runs = known.flatMap((hour) => runsIn(scope.range, hour?.runs))
    const total = counts.reduce((sum, [, own]) => sum + own, 0)
    return {
      runs,
      otherCount: total - count,
    }
  }

  /** Finds what is known of the hours of a range, and reads the others. */
  async #load(reader: TraceReader, scope: TraceScope): Promise<LoadedHours> {
    const known = this.#agents.get(keyOf(scope))
    let state = await updatedHours(reader, scope, known, this.#maxSpans)
    state = this.#put(scope, known, state)
    const range = hoursOver(scope.range, lastHourOf(scope))
    const isWhole = (hour: number) => isHourWithin(hour, scope.range)
    const found = new Map<number, AgentHour>()
    for (const hour of range) {
      const own = state.hours.get(hour)
      if (own === undefined || own.estimatedOver > range.length) continue
      if (own.runs !== undefined || isWhole(hour)) found.set(hour, own)
    }
    const missing = range.filter((hour) => !found.has(hour))
    const few =
      missing.length <= MAX_HOURS_OF_RUNS ? missing : missing.filter((hour) => !isWhole(hour))
    const read = await this.#readRuns(reader, scope, { hours: few, state })
    for (const [hour, own] of read.hours) found.set(hour, own)
    const others = missing.filter((hour) => isWhole(hour) && !found.has(hour))
    const sums = await this.#readTotals(reader, scope, { hours: others, state: read.state })
    for (const [hour, own] of sums.hours) found.set(hour, own)
    const parts = few
      .filter((hour) => !isWhole(hour) && !found.has(hour))
      .map((hour) => partOf(hour, scope.range))
    const edges =
      parts.length === 0 ? undefined : await sumTracesByHour(reader, { ...scope, parts })
    return { state: sums.state, hours: found, edges }
  }

  /** Reads the traces of hours one by one, without the hours that have too many spans. */
  async #readRuns(
    reader: TraceReader,
    scope: TraceScope,
    { hours, state }: WantedHours,
  ): Promise<ReadHours> {
    const read = new Map<number, AgentHour>()
    // Many hours are wanted only if they have few traces.
    const groups = hours.length > MAX_HOURS_OF_RUNS ? [hours] : hours.map((hour) => [hour])
    for (const group of groups) {
      const runs = await readRuns(reader, { ...scope, parts: joinHours(group) }, this.#maxSpans)
      if (runs === undefined) continue
      const byHour = Map.groupBy(runs, ({ startTimeNs }) => hourOf(startTimeNs))
      for (const hour of group) read.set(hour, hourOfRuns(byHour.get(hour) ?? []))
    }
    return { state: this.#add(scope, state, read), hours: read }
  }

  /** Reads the totals of hours. What was read is kept also if the next query fails. */
  async #readTotals(
    reader: TraceReader,
    scope: TraceScope,
    { hours, state: before }: WantedHours,
  ): Promise<ReadHours> {
    const read = new Map<number, AgentHour>()
    let state = before
    let size = FIRST_HOURS
    for (let first = 0; first < hours.length;) {
      const own = hours.slice(first, first + size)
      const parts = joinHours(own)
      const { totals, isEstimate } = await sumTracesByHour(reader, { ...scope, parts })
      const estimatedOver = isEstimate ? hoursLong(parts) : 0
      const sums = own.map((hour) => [hour, hourOfTotals(totals.get(hour), estimatedOver)] as const)
      for (const [hour, each] of sums) read.set(hour, each)
      state = this.#add(scope, state, new Map(sums))
      first += size
      const count = sums.reduce((sum, [, each]) => sum + each.totals.count, 0)
      size = Math.max(1, Math.floor((TRACES_OF_QUERY / Math.max(1, count)) * size))
    }
    return { state, hours: read }
  }

  /** Keeps what was made of `known`, unless another call has replaced that meanwhile. */
  #put(scope: TraceScope, known: AgentHours | undefined, state: AgentHours): AgentHours {
    if (this.#agents.get(keyOf(scope)) !== known) return this.#add(scope, state, state.hours)
    return this.#set(scope, state)
  }

  /**
   * Adds hours that were read after `state` was known. If another call has replaced it meanwhile,
   * only what has the lower version is certain to be in all hours.
   */
  #add(scope: TraceScope, state: AgentHours, hours: ReadonlyMap<number, AgentHour>): AgentHours {
    if (hours.size === 0) return state
    const current = this.#agents.get(keyOf(scope))
    const isCurrent = current === state || current === undefined
    return this.#set(scope, {
      version: Math.min(state.version, current?.version ?? state.version),
      included: isCurrent ? state.included : new Set(),
      hours: new Map([...(current?.hours ?? []), ...hours]),
    })
  }

  #set(scope: TraceScope, state: AgentHours): AgentHours {
    const kept = withinBounds(scope, state)
    const key = keyOf(scope)
    if (key.length <= MAX_KEY_LENGTH) this.#agents.set(key, kept)
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

interface WantedHours {
  readonly hours: readonly number[]
  readonly state: AgentHours
}

interface ReadHours {
  readonly hours: ReadonlyMap<number, AgentHour>
  readonly state: AgentHours
}
