import type { SchemaState } from '@slipway/shared/db'

import type { Engine } from './engine.ts'
import type { TableDefinition } from './table-definition.ts'

const TIMEOUT_MS = 10_000

/** A table as ClickHouse describes it. */
export interface FoundTable {
  /** undefined for a table that an operator created, with another engine, and migrates. */
  readonly state: SchemaState | undefined
  /** Whether the table's comment has the state; older releases recorded none. */
  readonly isRecorded: boolean
  /** How long it keeps rows; undefined if it keeps them for good. */
  readonly keepDays: number | undefined
  /** The columns that this release needs and the table doesn't have. */
  readonly missingColumns: readonly string[]
}

/** Looks a table up. Returns undefined if there is none. */
export async function findTable(
  engine: Engine,
  table: TableDefinition,
): Promise<FoundTable | undefined> {
  const [row] = await select(
    engine,
    table,
    `SELECT create_table_query AS sql, comment FROM system.tables
     WHERE database = currentDatabase() AND name = {table:String}`,
  )
  if (row === undefined) return undefined
  const createSql = text(row, 'sql')
  const columns = await select(
    engine,
    table,
    `SELECT name FROM system.columns
     WHERE database = currentDatabase() AND table = {table:String}`,
  )
  const names = new Set(columns.map((column) => text(column, 'name')))
  const recorded = parseRecord(text(row, 'comment'))
  const keepDays = /\bTTL .*toIntervalDay\((\d+)\)/.exec(createSql)?.[1]
  return {
    state: recorded ?? stateOf(createSql, table),
    isRecorded: recorded !== undefined,
    keepDays: keepDays === undefined ? undefined : Number(keepDays),
    missingColumns: table.requiredColumns.filter((name) => !names.has(name)),
  }
}

/** A table's state as an SQL string, for its comment. */
export function recordOf({ applied, oldestCompatible }: SchemaState): string {
  const json = JSON.stringify({
    slipway_migrations: applied,
    oldest_compatible: oldestCompatible,
  })
  return `'${json.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}

function parseRecord(comment: string): SchemaState | undefined {
  try {
    const record: unknown = JSON.parse(comment)
    if (typeof record !== 'object' || record === null) return undefined
    if (!('slipway_migrations' in record) || !Array.isArray(record.slipway_migrations))
      return undefined
    const oldest = 'oldest_compatible' in record ? record.oldest_compatible : undefined
    return {
      applied: record.slipway_migrations.map(String),
      oldestCompatible: typeof oldest === 'string' ? oldest : undefined,
    }
  } catch {
    return undefined
  }
}

/** The state of a table without a record; undefined for one that we didn't create. */
function stateOf(createSql: string, { migrations }: TableDefinition): SchemaState | undefined {
  if (!createSql.includes('ENGINE = ReplacingMergeTree(')) return undefined
  const applied = Object.entries(migrations).flatMap(([name, { isIn }]) =>
    isIn?.(createSql) ? [name] : [],
  )
  return { applied, oldestCompatible: undefined }
}

async function select(
  engine: Engine,
  { name }: TableDefinition,
  query: string,
): Promise<readonly object[]> {
  const limits = { timeoutMs: TIMEOUT_MS, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const rows = await engine.query(query, { table: name }, limits)
  return rows.filter((row) => typeof row === 'object' && row !== null)
}

function text(row: object, field: string): string {
  const value: unknown = Reflect.get(row, field)
  if (typeof value !== 'string') throw new Error('the answer is not from ClickHouse')
  return value
}
