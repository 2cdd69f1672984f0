import type { QueryParameters } from '../store/engine.ts'
import type { QueryLimits, TraceReader } from '../store/trace-store.ts'
import { nonsense, numberOf, queryRows, type Row } from './row.ts'
import type { Precautions } from './traces-sql.ts'

/**
 * Runs a query that gives one row with DIAGNOSTICS in it, and again with the precautions that they ask for. Usually the
 * first answer is the last one.
 */
export async function runTraceQuery(
  reader: TraceReader,
  sql: (precautions: Precautions) => string,
  parameters: QueryParameters,
  limits: QueryLimits,
): Promise<Row> {
  let precautions: Precautions = { copies: 'none', orphans: false }
  for (;;) {
    const [row] = await queryRows(reader, sql(precautions), parameters, limits)
    if (row === undefined) throw nonsense('no row')
    const isDuplicated = numberOf(row, 'is_duplicated') > 0
    const isUnsettled = numberOf(row, 'is_unsettled') > 0
    if (!isDuplicated && !isUnsettled) return row
    precautions = {
      copies: isDuplicated ? more(precautions.copies) : precautions.copies,
      orphans: precautions.orphans || isUnsettled,
    }
  }
}

function more(copies: Precautions['copies']): Precautions['copies'] {
  return copies === 'none' ? 'resent' : 'all'
}
