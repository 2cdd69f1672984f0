import { isTimeIn } from '../domain/hours.ts'
import { findListedRoot } from '../domain/trace-tree.ts'
import type { QueryParameters } from '../store/engine.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { numberOf, queryRows } from './query-rows.ts'
import { toRun, type Run } from './run.ts'
import { readRunSpans, withoutCopies, type RunSpan } from './run-spans.ts'
import { OWNED, ownerParameters } from './spans-sql.ts'
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
  return await readListed(reader, scope, `(${tailsInParts(scope)})`, scopeParameters(scope))
}

/** Reads the traces with these tails and a root in the parts of a range; see `readRuns`. */
export async function readRunsByTail(
  reader: TraceReader,
  scope: TraceScope,
  tails: readonly number[],
): Promise<readonly Run[] | undefined> {
  const parameters = { ...ownerParameters(scope), tails }
  return await readListed(reader, scope, '{tails:Array(UInt32)}', parameters)
}

async function readListed(
  reader: TraceReader,
  scope: TraceScope,
  tails: string,
  parameters: QueryParameters,
): Promise<readonly Run[] | undefined> {
  const traces = await readRunSpans(reader, { tails }, parameters)
  return traces?.flatMap((copies) => {
    const run = listedRun(copies, scope)
    return run !== undefined && isTimeIn(run.startTimeNs, scope.parts) ? [run] : []
  })
}

/** Returns a trace if lists show it. */
export function listedRun(
  copies: readonly RunSpan[],
  { settledBeforeUs }: TraceScope,
): Run | undefined {
  const spans = withoutCopies(copies)
  const root = findListedRoot(spans, settledBeforeUs)
  return root && toRun(spans, root)
}
