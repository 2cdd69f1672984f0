import { HOUR_NS, isTimeIn } from '../domain/hours.ts'
import { RootRank } from '../domain/span.ts'
import { findListedRoot } from '../domain/trace-tree.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import type { AgentHours } from './agent-hours.ts'
import { numberOf, queryRows, textOf } from './query-rows.ts'
import { toRun, type Run } from './run.ts'
import { readRunSpans, withoutCopies, type RunSpan } from './run-spans.ts'
import { OWNED, ownerParameters, traceTail } from './spans-sql.ts'
import { scopeParameters, tailsInParts, type TraceScope } from './traces-sql.ts'

/** Maximum number of spans that have arrived, of which the new ones are looked for. */
const MAX_ARRIVED = 20_000

/**
 * Reads the traces with a root in the parts of a range span by span. Returns undefined if there are
 * too many spans for that.
 */
export async function readRuns(
  reader: TraceReader,
  scope: TraceScope,
): Promise<readonly Run[] | undefined> {
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
  LIMIT ${MAX_ARRIVED + 1}`

/** A trace of which a span has arrived. */
export interface ChangedTrace {
  readonly traceId: string
  /** Undefined if lists don't show it. */
  readonly run: Run | undefined
  /** The hours in which its spans started, also former copies of them. */
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
 * undefined if there are too many spans.
 */
export async function readChangedTraces(
  reader: TraceReader,
  scope: TraceScope,
  { version, included }: Pick<AgentHours, 'version' | 'included'>,
): Promise<ChangedTraces | undefined> {
  const owner = ownerParameters(scope)
  const rows = await queryRows(reader, ARRIVED, { ...owner, since: version })
  if (rows.length > MAX_ARRIVED) return undefined
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
      hours: new Set(copies.map(({ startTimeNs }) => Number(startTimeNs / HOUR_NS))),
    })),
    included: new Set(arrived.filter(({ tail }) => !unsettled.has(tail)).map(({ id }) => id)),
  }
}

/** Whether a span may become a root without the arrival of another one. */
function isUnsettledAt({ settledBeforeUs }: TraceScope) {
  return ({ rootRank, version }: RunSpan) =>
    rootRank === RootRank.UnknownParent && version > settledBeforeUs
}

function tailOf([first]: readonly RunSpan[]): number {
  return traceTail(first?.traceId ?? '')
}

function listedRun(copies: readonly RunSpan[], { settledBeforeUs }: TraceScope): Run | undefined {
  const spans = withoutCopies(copies)
  const root = findListedRoot(spans, settledBeforeUs)
  return root && toRun(spans, root)
}
