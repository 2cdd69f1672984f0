import type { QueryParameters } from '../store/engine.ts'
import type { QueryLimits, TraceStore } from '../store/trace-store.ts'
import { queryRows, type Row } from './row.ts'
import type { Precautions } from './traces-sql.ts'

/**
 * Runs a query whose rows have DIAGNOSTICS in them, and again with the precautions that they ask for. Usually the first
 * answer is the last one.
 */
export async function runTraceQuery(
  store: TraceStore,
  sql: (precautions: Precautions) => string,
  parameters: QueryParameters,
  limits: QueryLimits,
): Promise<readonly Row[]> {
  let precautions: Precautions = { duplicates: false, orphans: false }
  for (;;) {
    const rows = await queryRows(store, sql(precautions), parameters, limits)
    const needed = {
      duplicates: precautions.duplicates || rows.some((row) => Number(row['is_duplicated']) > 0),
      orphans: precautions.orphans || rows.some((row) => Number(row['is_unsettled']) > 0),
    }
    if (needed.duplicates === precautions.duplicates && needed.orphans === precautions.orphans) return rows
    precautions = needed
  }
}
