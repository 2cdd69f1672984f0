import { NO_PARTIAL_TOTALS, type PartialTotals } from '../domain/totals.ts'
import type { ChangedTrace } from './read-runs.ts'
import type { Run } from './run.ts'
import { totalsOfRuns } from './run-totals.ts'

/** What is known of the traces that started in an hour. */
export interface AgentHour {
  readonly totals: PartialTotals
  /** By trace id; undefined if only the totals are known. */
  readonly runs: ReadonlyMap<string, Run> | undefined
  /** How many hours were read at once, if tokens are estimated for that; otherwise 0. */
  readonly estimatedOver: number
}

/** The hours of an agent that are known. */
export interface AgentHours {
  /** All spans up to this version are included. */
  readonly version: number
  /** Later spans that are included as well; see `ChangedTraces`. */
  readonly included: ReadonlySet<string>
  readonly hours: ReadonlyMap<number, AgentHour>
}

const BYTES_OF_HOUR = 512
const BYTES_OF_RUN = 1500
const BYTES_OF_ID = 64
/** The maximum number of traces of an agent that are kept one by one, those of the last hours. */
const MAX_RUNS = 10_000

/** Estimates the memory of hours. */
export function bytesOf({ hours, included }: AgentHours): number {
  return hours
    .values()
    .reduce(
      (sum, { totals, runs }) =>
        sum + BYTES_OF_HOUR + totals.durations.byteLength + (runs?.size ?? 0) * BYTES_OF_RUN,
      1 + included.size * BYTES_OF_ID,
    )
}

/** Returns what is known of an hour from its traces. */
export function hourOfRuns(runs: readonly Run[]): AgentHour {
  return {
    totals: totalsOfRuns(runs),
    runs: new Map(runs.map((run) => [run.traceId, run])),
    estimatedOver: 0,
  }
}

/** Returns what is known of an hour from its totals; undefined means that it has no traces. */
export function hourOfTotals(totals: PartialTotals | undefined, estimatedOver: number): AgentHour {
  return { totals: totals ?? NO_PARTIAL_TOTALS, runs: undefined, estimatedOver }
}

/**
 * Replaces the traces that have changed in the hours whose traces are known one by one, and drops
 * the other hours in which they have spans.
 */
export function withChanges(
  hours: ReadonlyMap<number, AgentHour>,
  changed: readonly ChangedTrace[],
  hourOf: (run: Run) => number,
): ReadonlyMap<number, AgentHour> {
  if (changed.length === 0) return hours
  const ids = new Set(changed.map(({ traceId }) => traceId))
  const runs = Map.groupBy(
    changed.flatMap(({ run }) => run ?? []),
    hourOf,
  )
  const touched = new Set(changed.flatMap((trace) => [...trace.hours]))
  return new Map(
    [...hours].flatMap(([hour, known]) => {
      if (known.runs === undefined) return touched.has(hour) ? [] : [[hour, known] as const]
      const own = runs.get(hour) ?? []
      const isChanged = own.length > 0 || known.runs.keys().some((id) => ids.has(id))
      if (!isChanged) return [[hour, known] as const]
      const others = [...known.runs.values()].filter(({ traceId }) => !ids.has(traceId))
      return [[hour, hourOfRuns([...others, ...own])] as const]
    }),
  )
}

/** Drops hours before `oldest`, and the single traces of the oldest hours if there are too many. */
export function trimmed(
  hours: ReadonlyMap<number, AgentHour>,
  oldest: number,
): ReadonlyMap<number, AgentHour> {
  let count = 0
  const kept = [...hours]
    .filter(([hour]) => hour >= oldest)
    .toSorted(([a], [b]) => b - a)
    .map(([hour, known]) => {
      count += known.runs?.size ?? 0
      return [hour, count > MAX_RUNS ? { ...known, runs: undefined } : known] as const
    })
  return new Map(kept.reverse())
}
