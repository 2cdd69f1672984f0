import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { CountedTokens } from './counted-tokens.ts'
import { listOf, malformedAnswer, numberOf, queryRows, type Row } from './query-rows.ts'
import { MAX_DUPLICATED, scopeParameters, type Precautions, type TraceScope } from './traces-sql.ts'

/**
 * Maximum number of runs that deduplicate only some traces, and that work out the tokens of further
 * ones. New spans may arrive between runs.
 */
const MAX_PARTIAL_RUNS = 3

/** A query about traces whose single row includes DIAGNOSTICS. */
export interface TraceQuery {
  readonly sql: (precautions: Precautions) => string
  /** The parameters of the SQL, without those of the scope. */
  readonly parameters: QueryParameters
}

/** The result of a query about traces. */
export interface TraceResult {
  readonly row: Row
  /** Whether the tokens of some traces are counted as reported, because there are too many. */
  readonly isEstimate: boolean
}

/**
 * Runs a query, and repeats it with the precautions that its DIAGNOSTICS require. Usually the first
 * result requires none.
 */
export async function runTraceQuery(
  reader: TraceReader,
  scope: TraceScope,
  { sql, parameters }: TraceQuery,
): Promise<TraceResult> {
  const duplicated = new Set<number>()
  const counted = new CountedTokens(reader, scope)
  let precautions: Precautions = { deduplicate: 'none', resolveOrphans: false, hasRecounted: false }
  for (let run = 0; ; run += 1) {
    const [row] = await queryRows(reader, sql(precautions), {
      ...scopeParameters(scope),
      ...parameters,
      ...counted.parameters,
      duplicatedTails: [...duplicated],
    })
    if (row === undefined) throw malformedAnswer('it does not have exactly one row')
    const found = tailsOf(row, 'duplicated_tails')
    const isUnsettled = numberOf(row, 'is_unsettled') > 0
    const isCounted = await counted.add(tailsOf(row, 'miscounted_tails'), run < MAX_PARTIAL_RUNS)
    if (found.length === 0 && !isUnsettled && !isCounted)
      return { row, isEstimate: counted.isPartial }
    for (const tail of found) duplicated.add(tail)
    const isPartial = duplicated.size <= MAX_DUPLICATED && run < MAX_PARTIAL_RUNS
    precautions = {
      deduplicate: found.length === 0 ? precautions.deduplicate : isPartial ? 'some' : 'all',
      resolveOrphans: precautions.resolveOrphans || isUnsettled,
      hasRecounted: precautions.hasRecounted || isCounted,
    }
  }
}

function tailsOf(row: Row, column: string): readonly number[] {
  return listOf(row, column).map((tail) => Number(tail))
}
