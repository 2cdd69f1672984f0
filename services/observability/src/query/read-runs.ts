import { hourOf, isTimeIn } from '../domain/hours.ts'
import { RootRank } from '../domain/span.ts'
import { findListedRoot } from '../domain/trace-tree.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import type { AgentHours } from './agent-hours.ts'
import { numberOf, queryRows, textOf } from './query-rows.ts'
import { toRun, type Run } from './run.ts'
import { readRunSpans, withoutCopies, type RunSpan } from './run-spans.ts'
import { OWNED, ownerParameters, traceTail } from './spans-sql.ts'
import { scopeParameters, startsIn, tailsInParts, type TraceScope } from './traces-sql.ts'

/** Counts the spans that started in the parts of the range. */
function spanCount(scope: TraceScope): string {
  return `SELECT count() AS spans FROM ${SPANS_TABLE} WHERE ${OWNED} AND ${startsIn(scope)}`
}

/**
 * Reads the traces with a root in the parts of a range span by span. Returns undefined if there are
 * more than `maxSpans`.
 */
export async function readRuns(
  reader: TraceReader,
  scope: TraceScope,
  maxSpans: number,
): Promise<readonly Run[] | undefined> {
  const [row] = await queryRows(reader, spanCount(scope), scopeParameters(scope))
  if (numberOf(row ?? {}, 'spans') > maxSpans) return undefined
  const traces = await readRunSpans(
    reader,
    { tails: `(${tailsInParts(scope)})` },
    scopeParameters(scope),
  )
  return traces?.flatMap((copies) => {
    const run = listedRun(copies, scope)
    return run !== undefined && isTimeIn(run.startTimeNs, scope.parts) ? [run] : []
  })
}

const ARRIVED = `
  SELECT trace_tail, version FROM ${SPANS_TABLE} WHERE ${OWNED} AND version > {since:UInt64}
  LIMIT {limit:UInt32}`

/** A trace of which a span has arrived. */
export interface ChangedTrace {
  readonly traceId: string
  /** Undefined if lists don't show it. */
  readonly run: Run | undefined
  /** The hours in which it may be listed, or may have been. */
  readonly hours: ReadonlySet<number>
}

/** The traces of which spans have arrived. */
export interface ChangedTraces {
  readonly traces: readonly ChangedTrace[]
  /**
   * The spans that have arrived and are included in what is known now, by tail and version; without
   * those of traces whose root isn't settled.
   */
  readonly included: ReadonlySet<string>
}

/**
 * Reads the traces of which a span has arrived after a version that isn't included yet. Returns
 * undefined if more than `maxSpans` have arrived.
 */
export async function readChangedTraces(
  reader: TraceReader,
  scope: TraceScope,
  { version, included }: Pick<AgentHours, 'version' | 'included'>,
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

/** Whether a trace may be listed at the start of a span, or may have been before the span changed. */
function mayList(since: number) {
  return ({ rootRank, version }: RunSpan) => rootRank <= RootRank.UnknownParent || version > since
}

function tailOf([first]: readonly RunSpan[]): number {
  return traceTail(first?.traceId ?? '')
}

function listedRun(copies: readonly RunSpan[], { settledBeforeUs }: TraceScope): Run | undefined {
  const spans = withoutCopies(copies)
  const root = findListedRoot(spans, settledBeforeUs)
  return root && toRun(spans, root)
}
