import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { listOf, nonsense, numberOf, queryRows, type Row } from './row.ts'
import { MAX_COPIED, type Precautions } from './traces-sql.ts'

/** So often at most only some traces are cared for, when ever more with copies come to light. */
const MAX_PARTIAL_RUNS = 3

/**
 * Runs a query that gives one row with DIAGNOSTICS in it, and again with the precautions that they
 * ask for. Usually the first answer is the last one.
 */
export async function runTraceQuery(
  reader: TraceReader,
  sql: (precautions: Precautions) => string,
  parameters: QueryParameters,
): Promise<Row> {
  const copied = new Set<number>()
  let precautions: Precautions = { copies: 'none', orphans: false }
  for (let run = 0; ; run += 1) {
    const [row] = await queryRows(reader, sql(precautions), { ...parameters, copied: [...copied] })
    if (row === undefined) throw nonsense('no row')
    const found = listOf(row, 'copied').map((tail) => Number(tail))
    const isUnsettled = numberOf(row, 'is_unsettled') > 0
    if (found.length === 0 && !isUnsettled) return row
    for (const tail of found) copied.add(tail)
    const isPartial = copied.size <= MAX_COPIED && run < MAX_PARTIAL_RUNS
    precautions = {
      copies: found.length === 0 ? precautions.copies : isPartial ? 'some' : 'all',
      orphans: precautions.orphans || isUnsettled,
    }
  }
}
