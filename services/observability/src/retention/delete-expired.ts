import type { Engine } from '../store/engine.ts'
import { keepDaysFor } from '../store/migrate-tables.ts'
import type { TableDefinition } from '../store/table-definition.ts'
import { TABLES } from '../store/tables.ts'
import type { Retention } from './retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_MS = 7 * DAY_MS
/** Their ids must fit into a statement: ClickHouse reads 256 KiB of it. */
const MAX_ACCOUNTS = 5_000
const QUERY_TIMEOUT_MS = 60_000

/** What is being deleted from a table: the rows of some accounts and one week. */
export interface Deleted {
  readonly table: string
  /** The Monday of the week. */
  readonly week: string
  readonly accounts: number
}

/** What `deleteExpired` works with. */
export interface ExpiryOptions {
  readonly retention: Retention
  readonly nowMs: number
  readonly signal: AbortSignal
}

/**
 * Starts to delete the rows of the oldest week that some accounts no longer keep. A deletion
 * rewrites the files of the week, in which the rows of all accounts are, so it waits until the
 * whole week has expired, and there is one at a time. Rows are kept as much longer than traces are
 * shown as in the whole table. Undefined if there is nothing to delete, or a deletion is running.
 */
export async function deleteExpired(
  engine: Engine,
  options: ExpiryOptions,
): Promise<Deleted | undefined> {
  for (const table of TABLES) {
    const deleted = await deleteFrom(table, engine, options)
    if (deleted !== undefined) return deleted
  }
  return undefined
}

async function deleteFrom(
  { name: table, timeColumn }: TableDefinition,
  engine: Engine,
  { retention, nowMs, signal }: ExpiryOptions,
): Promise<Deleted | undefined> {
  const ask = async (sql: string, parameters: Readonly<Record<string, string>>) => {
    const rows = await engine.query(sql, parameters, { timeoutMs: QUERY_TIMEOUT_MS, signal })
    return rows.map((row) => String((row as { found: unknown }).found))
  }
  const hasExpired = (week: string, days: number) =>
    Date.parse(week) + WEEK_MS + keepDaysFor(days) * DAY_MS <= nowMs
  if ((await ask(RUNNING, { table })).length > 0) return undefined
  for (const week of (await ask(WEEKS, { table })).filter((each) => hasExpired(each, 1))) {
    const accounts = (await ask(accountsSql(table, timeColumn), { week })).filter((accountId) => {
      const days = retention.daysOf(accountId)
      return days < retention.maxDays && hasExpired(week, days)
    })
    const chosen = accounts.slice(0, MAX_ACCOUNTS)
    if (chosen.length === 0) continue
    await engine.command(
      `ALTER TABLE ${table} DELETE IN PARTITION '${week}'
       WHERE account_id IN (${chosen.map(quote).join(', ')}) SETTINGS mutations_sync = 0`,
    )
    return { table, week, accounts: chosen.length }
  }
  return undefined
}

const RUNNING = `SELECT mutation_id AS found FROM system.mutations
  WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1`
const WEEKS = `SELECT DISTINCT partition AS found FROM system.parts
  WHERE database = currentDatabase() AND table = {table:String} AND active ORDER BY found`

function accountsSql(table: string, timeColumn: string): string {
  return `SELECT DISTINCT account_id AS found FROM ${table}
    WHERE ${timeColumn} >= toDateTime64({week:String}, 9, 'UTC')
      AND ${timeColumn} < toDateTime64({week:String}, 9, 'UTC') + toIntervalWeek(1)`
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}
