import { hourOf, isHourWithin, isTimeIn } from '../domain/hours.ts'
import { NO_PARTIAL_TOTALS, type PartialTotals } from '../domain/totals.ts'
import type { TraceRange } from '../domain/trace-range.ts'
import type { ChangedTrace, IncludedSpans } from './changed-traces.ts'
import type { Run } from './run.ts'
import { totalsOfRuns } from './run-totals.ts'

/** What is known of the traces that started in an hour. */
export interface AgentHour {
  readonly totals: PartialTotals
  /** By trace id; undefined if only the totals are known. */
  readonly runs: ReadonlyMap<string, Run> | undefined
  /** The estimated memory of the runs. */
  readonly runBytes: number
  /** How many hours were read at once, if tokens are estimated for that; otherwise 0. */
  readonly estimatedOver: number
}

/** The hours of an agent that are known. */
export interface AgentHours extends IncludedSpans {
  readonly hours: ReadonlyMap<number, AgentHour>
}

const BYTES_OF_EMPTY_HOUR = 100
const BYTES_OF_HOUR = 512
const BYTES_OF_RUN = 1500
/** The size of one of the strings that order spans without a text. */
const BYTES_OF_GAP = 130
const BYTES_OF_ID = 64
/** The maximum memory of one agent, and of its single traces. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_BYTES_OF_RUNS = MAX_BYTES / 2

/** Estimates the memory of hours. */
export function bytesOf({ hours, included }: AgentHours): number {
  const ofHours = hours.values().reduce((sum, hour) => sum + bytesOfTotals(hour) + hour.runBytes, 1)
  return ofHours + included.size * BYTES_OF_ID
}

function bytesOfTotals({ totals }: AgentHour): number {
  return totals.count === 0 ? BYTES_OF_EMPTY_HOUR : BYTES_OF_HOUR + totals.durations.byteLength
}

function bytesOfRun({ input, output }: Run): number {
  return BYTES_OF_RUN + BYTES_OF_GAP * (input.gaps.length + output.gaps.length)
}

/** Returns what is known of an hour from its traces. */
export function hourOfRuns(runs: readonly Run[]): AgentHour {
  return {
    totals: totalsOfRuns(runs),
    runs: new Map(runs.map((run) => [run.traceId, run])),
    runBytes: runs.reduce((sum, run) => sum + bytesOfRun(run), 0),
    estimatedOver: 0,
  }
}

/** Returns what is known of an hour from its totals; undefined means that it has no traces. */
export function hourOfTotals(totals: PartialTotals | undefined, estimatedOver: number): AgentHour {
  return { totals: totals ?? NO_PARTIAL_TOTALS, runs: undefined, runBytes: 0, estimatedOver }
}

/**
 * Replaces the traces that have changed in the hours whose traces are known one by one, and drops
 * the other hours in which they have spans.
 */
export function withChanges(
  hours: ReadonlyMap<number, AgentHour>,
  changed: readonly ChangedTrace[],
): ReadonlyMap<number, AgentHour> {
  if (changed.length === 0) return hours
  const ids = new Set(changed.map(({ traceId }) => traceId))
  const runs = Map.groupBy(
    changed.flatMap(({ run }) => run ?? []),
    ({ startTimeNs }) => hourOf(startTimeNs),
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

/** Drops hours before `oldest`, and the oldest ones if they take too much memory. */
export function trimmed(
  hours: ReadonlyMap<number, AgentHour>,
  oldest: number,
): ReadonlyMap<number, AgentHour> {
  let [bytes, runBytes] = [0, 0]
  const kept = [...hours]
    .filter(([hour]) => hour >= oldest)
    .toSorted(([a], [b]) => b - a)
    .flatMap(([hour, known]) => {
      bytes += bytesOfTotals(known)
      runBytes += known.runBytes
      if (bytes > MAX_BYTES - MAX_BYTES_OF_RUNS) return []
      const isTooMuch = runBytes > MAX_BYTES_OF_RUNS
      return [[hour, isTooMuch ? { ...known, runs: undefined, runBytes: 0 } : known] as const]
    })
  return new Map(kept.reverse())
}

/** Returns the totals of the traces of an hour that are in a range. */
export function totalsIn(
  range: TraceRange,
  hour: number,
  { totals, runs }: AgentHour,
): PartialTotals {
  return isHourWithin(hour, range) ? totals : totalsOfRuns(runsIn(range, runs))
}

/** Counts the traces of an hour that are in a range. */
export function countIn(range: TraceRange, hour: number, { totals, runs }: AgentHour): number {
  return isHourWithin(hour, range) ? totals.count : runsIn(range, runs).length
}

/** Returns the single traces of an hour that are in a range. */
export function runsIn(range: TraceRange, runs: AgentHour['runs']): readonly Run[] {
  return [...(runs?.values() ?? [])].filter(({ startTimeNs }) => isTimeIn(startTimeNs, [range]))
}
