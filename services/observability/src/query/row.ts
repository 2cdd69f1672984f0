import { Unavailable } from '@slipway/shared/errors'

import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'

/** A row of an answer, as JSON has it. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a query and checks that its rows are objects. */
export async function queryRows(
  reader: TraceReader,
  sql: string,
  parameters: QueryParameters,
): Promise<readonly Row[]> {
  const rows = await reader.query(sql, parameters)
  return rows.map((row) => {
    if (typeof row !== 'object' || row === null) throw nonsense('a row that is no object')
    return row as Row
  })
}

/** A text column of a row. */
export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw nonsense(`${column} is no text`)
  return value
}

/** A number column of a row; NaN and infinity are refused. */
export function numberOf(row: Row, column: string): number {
  const value = Number(row[column] ?? Number.NaN)
  if (!Number.isFinite(value)) throw nonsense(`${column} is no number`)
  return value
}

/** A whole-number column that was written as text, so that no digit is lost. */
export function bigintOf(row: Row, column: string): bigint {
  const value = row[column]
  if (typeof value !== 'string' || !/^-?\d+$/.test(value))
    throw nonsense(`${column} is no whole number`)
  return BigInt(value)
}

/** A column that holds a list. */
export function listOf(row: Row, column: string): readonly unknown[] {
  const value = row[column]
  if (!Array.isArray(value)) throw nonsense(`${column} is no list`)
  return value
}

/** The error for an answer that no ClickHouse with our table gives. */
export function nonsense(what: string): Unavailable {
  return new Unavailable(
    'trace_store_unavailable',
    'the observability backend is not available now',
    {
      cause: new Error(`the trace store answered nonsense: ${what}`),
    },
  )
}
