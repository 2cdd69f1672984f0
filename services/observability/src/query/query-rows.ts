import { Unavailable } from '@slipway/shared/errors'

import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'

/** A row of a result, parsed from JSON. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a query. Throws Unavailable for rows that are not objects. */
export async function queryRows(
  reader: TraceReader,
  sql: string,
  parameters: QueryParameters,
): Promise<readonly Row[]> {
  const rows = await reader.query(sql, parameters)
  return rows.map((row) => {
    if (typeof row !== 'object' || row === null) throw malformedAnswer('a row is not an object')
    return row as Row
  })
}

/** Returns a string column. Throws Unavailable for other values, as do the functions below. */
export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw malformedAnswer(`${column} is not a string`)
  return value
}

/** Returns a number column; it must be finite. */
export function numberOf(row: Row, column: string): number {
  const value = Number(row[column] ?? Number.NaN)
  if (!Number.isFinite(value)) throw malformedAnswer(`${column} is not a number`)
  return value
}

/** Returns an integer column that the query returned as a string to keep all digits. */
export function bigintOf(row: Row, column: string): bigint {
  const value = row[column]
  if (typeof value !== 'string' || !/^-?\d+$/.test(value))
    throw malformedAnswer(`${column} is not an integer`)
  return BigInt(value)
}

/** Returns a list column. */
export function listOf(row: Row, column: string): readonly unknown[] {
  const value = row[column]
  if (!Array.isArray(value)) throw malformedAnswer(`${column} is not a list`)
  return value
}

/** Returns a column with a list of named tuples. */
export function rowsOf(row: Row, column: string): readonly Row[] {
  return listOf(row, column).map((value) => {
    if (typeof value !== 'object' || value === null)
      throw malformedAnswer(`${column} is not a list of objects`)
    return value as Row
  })
}

/** The error for a response that a ClickHouse with our table never sends. */
export function malformedAnswer(problem: string): Unavailable {
  const message = 'the observability backend is unavailable; retry later'
  return new Unavailable('trace_store_unavailable', message, {
    cause: new Error(`malformed response from the trace store: ${problem}`),
  })
}
