import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { listOf, malformedAnswer, numberOf, queryRows, type Row } from './query-rows.ts'
import { MAX_DUPLICATED, type Precautions } from './traces-sql.ts'

/**
 * Maximum number of runs that deduplicate only some traces. New duplicates may arrive between runs.
 */
const MAX_PARTIAL_RUNS = 3

/**
 * Runs a query whose single row includes DIAGNOSTICS, and repeats it with the precautions that they
 * require. Usually the first result requires none.
 */
export async function runTraceQuery(
  reader: TraceReader,
  sql: (precautions: Precautions) => string,
  parameters: QueryParameters,
): Promise<Row> {
  const duplicated = new Set<number>()
  let precautions: Precautions = { deduplicate: 'none', resolveOrphans: false }
  for (let run = 0; ; run += 1) {
    const [row] = await queryRows(reader, sql(precautions), {
      ...parameters,
      duplicatedTails: [...duplicated],
    })
    if (row === undefined) throw malformedAnswer('it does not have exactly one row')
    const found = listOf(row, 'duplicated_tails').map((tail) => Number(tail))
    const isUnsettled = numberOf(row, 'is_unsettled') > 0
    if (found.length === 0 && !isUnsettled) return row
    for (const tail of found) duplicated.add(tail)
    const isPartial = duplicated.size <= MAX_DUPLICATED && run < MAX_PARTIAL_RUNS
    precautions = {
      deduplicate: found.length === 0 ? precautions.deduplicate : isPartial ? 'some' : 'all',
      resolveOrphans: precautions.resolveOrphans || isUnsettled,
    }
  }
}
