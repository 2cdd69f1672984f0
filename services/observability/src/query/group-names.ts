import { OWNED } from './spans-sql.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import { queryRows, textOf } from './query-rows.ts'
import { IN_RANGE, scopeParameters, type TraceScope } from './traces-sql.ts'

/** The largest number of groups in a response, without the rest. */
const MAX_GROUPS = 20

/** Returns the most frequent values of a column among the spans of a range that match. */
export async function readGroupNames(
  reader: TraceReader,
  scope: TraceScope,
  { column, condition }: { column: string; condition: string },
): Promise<readonly string[]> {
  const sql = `
    SELECT toString(${column}) AS name FROM ${SPANS_TABLE}
    WHERE ${OWNED} AND ${IN_RANGE} AND ${condition}
    GROUP BY name ORDER BY count() DESC, name LIMIT ${MAX_GROUPS}`
  const rows = await queryRows(reader, sql, scopeParameters(scope))
  return rows.map((row) => textOf(row, 'name'))
}

/**
 * Returns the key of a group in SQL: `=` and the value of the column, if it is among the `names` in
 * the parameters, or else an empty string.
 */
export function groupKey(column: string): string {
  return `if(${column} IN {names:Array(String)}, concat('=', ${column}), '')`
}
