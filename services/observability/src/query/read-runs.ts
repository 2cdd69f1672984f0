import { HOUR_NS, isTimeIn } from '../domain/hours.ts'
import { findListedRoot } from '../domain/trace-tree.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { toRun, type Run } from './run.ts'
import { readRunSpans, withoutCopies, type RunSpan } from './run-spans.ts'
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
  const parameters = { ...scopeParameters(scope), since }
  const traces = await readRunSpans(reader, { tails: `(${TAILS_SINCE})` }, parameters)
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
