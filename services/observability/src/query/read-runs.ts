import { HOUR_NS, isTimeIn } from '../domain/hours.ts'
import { findListedRoot } from '../domain/trace-tree.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { numberOf, queryRows } from './query-rows.ts'
import { toRun, type Run } from './run.ts'
import { MAX_SPANS, readRunSpans, withoutCopies, type RunSpan } from './run-spans.ts'
import { ownerParameters } from './spans-sql.ts'
import { scopeParameters, TAILS_SINCE, tailsInParts, type TraceScope } from './traces-sql.ts'

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

const CHANGED_TAILS = `${TAILS_SINCE} LIMIT ${MAX_SPANS + 1}`

/** A trace of which a span has arrived. */
export interface ChangedTrace {
  readonly traceId: string
  /** Undefined if lists don't show it. */
  readonly run: Run | undefined
  /** The hours in which its spans started, also former copies of them. */
  readonly hours: ReadonlySet<number>
}

/**
 * Reads the traces of which a span has arrived after a version. Returns undefined if they have too
 * many spans.
 */
export async function readChangedTraces(
  reader: TraceReader,
  scope: TraceScope,
  since: number,
): Promise<readonly ChangedTrace[] | undefined> {
  const found = await queryRows(reader, CHANGED_TAILS, { ...ownerParameters(scope), since })
  if (found.length === 0) return []
  if (found.length > MAX_SPANS) return undefined
  const parameters = {
    ...ownerParameters(scope),
    tails: found.map((row) => numberOf(row, 'trace_tail')),
  }
  const traces = await readRunSpans(reader, { tails: '{tails:Array(UInt32)}' }, parameters)
  return traces?.map((copies) => ({
    traceId: copies[0]?.traceId ?? '',
    run: listedRun(copies, scope),
    hours: new Set(copies.map(({ startTimeNs }) => Number(startTimeNs / HOUR_NS))),
  }))
}

function listedRun(copies: readonly RunSpan[], { settledBeforeUs }: TraceScope): Run | undefined {
  const spans = withoutCopies(copies)
  const root = findListedRoot(spans, settledBeforeUs)
  return root && toRun(spans, root)
}
