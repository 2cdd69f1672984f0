import {
  compatibleFrom,
  newerMigrations,
  SchemaMismatch,
  type MigrationOutcome,
} from '@slipway/shared/db'

import type { Engine } from './engine.ts'
import { findTable, recordOf, type FoundTable } from './find-table.ts'
import type { TableDefinition } from './table-definition.ts'
import { TABLES } from './tables.ts'

/** Rows are stored this much longer than traces are shown, so that traces stay complete. */
export const EXTRA_DAYS = 7

/** What was done with the tables. */
export interface TablesOutcome extends MigrationOutcome {
  /** How many days rows are stored from now on, if that changed. */
  readonly keepDays: number | undefined
}

/** How many days rows are stored. */
export function keepDaysFor(retentionDays: number): number {
  return retentionDays + EXTRA_DAYS
}

/**
 * Creates or migrates the tables, and sets how long their rows are stored. Changes nothing if a
 * newer release has migrated them; throws SchemaMismatch if this release can't work with them. Only
 * one process may run it at a time.
 */
export async function migrateTables(engine: Engine, retentionDays: number): Promise<TablesOutcome> {
  const tables: Located[] = []
  for (const table of TABLES) tables.push({ table, found: await findTable(engine, table) })
  const newer = tables.flatMap(newerIn)
  if (newer.length > 0) return { applied: [], newer, keepDays: undefined }
  requireOwnTables(tables)
  const keepDays = keepDaysFor(retentionDays)
  const applied: string[] = []
  for (const { table, found } of tables) {
    applied.push(
      ...(found ? await bringUpToDate(engine, table, found) : await create(engine, table)),
    )
    if (found?.keepDays !== keepDays) await keepFor(engine, table, keepDays)
  }
  const isKept = tables.every(({ found }) => found?.keepDays === keepDays)
  return { applied, newer, keepDays: isKept ? undefined : keepDays }
}

/** A table, and what ClickHouse has of it. */
interface Located {
  readonly table: TableDefinition
  readonly found: FoundTable | undefined
}

/** The migrations of newer releases; throws SchemaMismatch if this one can't work with them. */
function newerIn({ table, found }: Located): readonly string[] {
  return found?.state === undefined ? [] : newerMigrations(namesOf(table), found.state)
}

/** Throws if an operator created some tables with another engine, as on a cluster, but not all. */
function requireOwnTables(tables: readonly Located[]): void {
  const foreign = tables.find(({ found }) => found !== undefined && found.state === undefined)
  const missing = tables.find(({ found }) => found === undefined)
  if (foreign === undefined || missing === undefined) return
  throw new SchemaMismatch(
    `the table ${foreign.table.name} was not created by Slipway, and there is no table ` +
      `${missing.table.name}: create it as well, as in ${missing.table.file}`,
  )
}

async function keepFor(
  engine: Engine,
  { name, timeColumn }: TableDefinition,
  keepDays: number,
): Promise<void> {
  // Parts that are never merged again would keep the previous TTL, so all parts are rewritten: in
  // the background, because MODIFY TTL would wait for it.
  await engine.command(
    `ALTER TABLE ${name} MODIFY TTL toDateTime(${timeColumn}) + toIntervalDay(${keepDays})
     SETTINGS materialize_ttl_after_modify = 0`,
  )
  await engine.command(`ALTER TABLE ${name} MATERIALIZE TTL SETTINGS mutations_sync = 0`)
}

/**
 * Throws SchemaMismatch unless the tables are there and this release can work with them. Returns
 * how many days each stores its rows.
 */
export async function checkTables(engine: Engine): Promise<readonly (number | undefined)[]> {
  const keepDays: (number | undefined)[] = []
  for (const table of TABLES) keepDays.push(await checkTable(engine, table))
  return keepDays
}

async function checkTable(engine: Engine, table: TableDefinition): Promise<number | undefined> {
  const found = await findTable(engine, table)
  if (found === undefined)
    throw new SchemaMismatch(`the trace store has no table of ${table.content}: ${RUN_MIGRATE}`)
  if (found.state === undefined) requireColumns(table, found)
  else if (newerIn({ table, found }).length === 0) {
    const missing = missingMigrations(table, found)
    if (missing.length > 0) {
      throw new SchemaMismatch(
        `the table of ${table.content} is older than this release, it lacks ` +
          `${missing.join(', ')}: ${RUN_MIGRATE}`,
      )
    }
  }
  return found.keepDays
}

const RUN_MIGRATE = 'run the command `migrate` of this release'

/** The names of this release's migrations, in their order. */
function namesOf({ migrations }: TableDefinition): readonly string[] {
  return Object.keys(migrations).toSorted()
}

async function create(engine: Engine, table: TableDefinition): Promise<readonly string[]> {
  const names = namesOf(table)
  const oldestCompatible = compatibleFrom(table.migrations, NOTHING)
  const record = recordOf({ applied: names, oldestCompatible })
  await engine.command(`${table.create} COMMENT ${record}`)
  // Another program at the address may accept anything.
  if ((await findTable(engine, table)) === undefined)
    throw new Error('the trace store has not created the table')
  return names
}

const NOTHING = { applied: [], oldestCompatible: undefined }

async function bringUpToDate(
  engine: Engine,
  table: TableDefinition,
  found: FoundTable,
): Promise<readonly string[]> {
  if (found.state === undefined) {
    requireColumns(table, found)
    return []
  }
  const missing = missingMigrations(table, found)
  for (const name of missing) {
    const statement = table.migrations[name]?.statement
    if (statement !== undefined) await engine.command(statement)
  }
  if (missing.length > 0 || !found.isRecorded) {
    const oldestCompatible = compatibleFrom(table.migrations, found.state)
    const record = recordOf({ applied: namesOf(table), oldestCompatible })
    await engine.command(`ALTER TABLE ${table.name} MODIFY COMMENT ${record}`)
  }
  return missing
}

function missingMigrations(table: TableDefinition, { state }: FoundTable): readonly string[] {
  return namesOf(table).filter((name) => !state?.applied.includes(name))
}

function requireColumns({ content, file }: TableDefinition, { missingColumns }: FoundTable): void {
  if (missingColumns.length === 0) return
  throw new SchemaMismatch(
    `the table of ${content}, which was not created by Slipway, lacks ` +
      `${missingColumns.join(', ')}: add these columns as in ${file}`,
  )
}
