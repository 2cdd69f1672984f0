import { hourOf } from '../domain/hours.ts'
import { RootRank } from '../domain/span.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { numberOf, queryRows, textOf } from './query-rows.ts'
import { listedRun } from './read-runs.ts'
import { readRunSpans, type RunSpan } from './run-spans.ts'
import type { Run } from './run.ts'
import { OWNED, ownerParameters, traceTail } from './spans-sql.ts'
import type { TraceScope } from './traces-sql.ts'

const ARRIVED = `
  SELECT trace_tail, version FROM ${SPANS_TABLE} WHERE ${OWNED} AND version > {since:UInt64}
  LIMIT {limit:UInt32}`

/** A trace with a new span. */
export interface ChangedTrace {
  readonly traceId: string
  /** Undefined if lists don't show it. */
  readonly run: Run | undefined
  /** The hours in which it may be listed, or may have been. */
  readonly hours: ReadonlySet<number>
}

/** Which spans of an agent are included in what is known. */
export interface IncludedSpans {
  /** All spans up to this version are included. */
  readonly version: number
  /** Later spans that are included as well, by tail and version. */
  readonly included: ReadonlySet<string>
}

/** The traces with new spans. */
export interface ChangedTraces {
  readonly traces: readonly ChangedTrace[]
  /**
   * The spans that have arrived and are included in what is known now, by tail and version; without
   * those of traces whose root isn't settled.
   */
  readonly included: ReadonlySet<string>
}

/**
 * Reads the traces with a span that has arrived after a version that isn't included yet. Returns
 * undefined if more than `maxSpans` have arrived.
 */
export async function readChangedTraces(
  reader: TraceReader,
  scope: TraceScope,
  { version, included }: IncludedSpans,
  maxSpans: number,
): Promise<ChangedTraces | undefined> {
  const owner = ownerParameters(scope)
  const rows = await queryRows(reader, ARRIVED, { ...owner, since: version, limit: maxSpans + 1 })
  if (rows.length > maxSpans) return undefined
  const arrived = rows.map((row) => {
    const tail = numberOf(row, 'trace_tail')
    return { tail, id: `${tail}/${textOf(row, 'version')}` }
  })
  const tails = new Set(arrived.filter(({ id }) => !included.has(id)).map(({ tail }) => tail))
  const all = new Set(arrived.map(({ id }) => id))
  if (tails.size === 0) return { traces: [], included: all }
  const selection = { tails: '{tails:Array(UInt32)}' }
  const traces = await readRunSpans(reader, selection, { ...owner, tails: [...tails] })
  if (traces === undefined) return undefined
  const unsettled = new Set(
    traces.filter((copies) => copies.some(isUnsettledAt(scope))).map(tailOf),
  )
  return {
    traces: traces.map((copies) => ({
      traceId: copies[0]?.traceId ?? '',
      run: listedRun(copies, scope),
      hours: new Set(copies.filter(mayList(version)).map(({ startTimeNs }) => hourOf(startTimeNs))),
    })),
    included: new Set(arrived.filter(({ tail }) => !unsettled.has(tail)).map(({ id }) => id)),
  }
}

/** Whether a span may become a root without the arrival of another one. */
function isUnsettledAt({ settledBeforeUs }: TraceScope) {
  return ({ rootRank, version }: RunSpan) =>
    rootRank === RootRank.UnknownParent && version > settledBeforeUs
}

/** Whether a trace may be listed at the start of a span, or may have been until it changed. */
function mayList(since: number) {
  return ({ rootRank, version }: RunSpan) => rootRank <= RootRank.UnknownParent || version > since
}

function tailOf([first]: readonly RunSpan[]): number {
  return traceTail(first?.traceId ?? '')
}
