import {
  compatibleFrom,
  newerMigrations,
  SchemaMismatch,
  type MigrationOutcome,
} from '@slipway/shared/db'

import type { Engine } from './engine.ts'
import { findSpansTable, recordOf, type SpansTable } from './find-spans-table.ts'
import { spansMigrations } from './spans-migrations.ts'
import { CREATE_SPANS, SPANS_TABLE } from './spans-table.ts'

/** Spans are stored this much longer than traces are shown, so that traces stay complete. */
export const EXTRA_DAYS = 7

/** The names of this release's migrations, in their order. */
const NAMES = Object.keys(spansMigrations).toSorted()

/** What was done with the table of spans. */
export interface SpansOutcome extends MigrationOutcome {
  /** How many days spans are stored from now on, if that changed. */
  readonly keepDays: number | undefined
}

/** How many days spans are stored. */
export function keepDaysFor(retentionDays: number): number {
  return retentionDays + EXTRA_DAYS
}

/**
 * Creates the table or migrates it, and sets how long spans are stored. Changes nothing in a table
 * that a newer release has migrated; throws SchemaMismatch if this release can't work with it. Only
 * one process may run it at a time.
 */
export async function migrateSpans(engine: Engine, retentionDays: number): Promise<SpansOutcome> {
  const found = await findSpansTable(engine)
  const newer = found?.state === undefined ? [] : newerMigrations(NAMES, found.state)
  if (newer.length > 0) return { applied: [], newer, keepDays: undefined }
  const applied = found === undefined ? await create(engine) : await bringUpToDate(engine, found)
  const keepDays = keepDaysFor(retentionDays)
  if (found?.keepDays === keepDays) return { applied, newer, keepDays: undefined }
  // Parts that are never merged again would keep the former TTL, so all parts are rewritten: in the
  // background, because MODIFY TTL would wait for it.
  await engine.command(
    `ALTER TABLE ${SPANS_TABLE} MODIFY TTL toDateTime(start_time) + toIntervalDay(${keepDays})
     SETTINGS materialize_ttl_after_modify = 0`,
  )
  await engine.command(`ALTER TABLE ${SPANS_TABLE} MATERIALIZE TTL SETTINGS mutations_sync = 0`)
  return { applied, newer, keepDays }
}

/**
 * Throws SchemaMismatch unless the table is there and this release can work with it. Returns how
 * many days it stores spans.
 */
export async function checkSpans(engine: Engine): Promise<number | undefined> {
  const table = await findSpansTable(engine)
  if (table === undefined)
    throw new SchemaMismatch(`the trace store has no table of spans: ${RUN_MIGRATE}`)
  if (table.state === undefined) requireColumns(table)
  else if (newerMigrations(NAMES, table.state).length === 0) {
    const missing = missingMigrations(table)
    if (missing.length > 0) {
      throw new SchemaMismatch(
        `the table of spans is older than this release, it lacks ${missing.join(', ')}: ` +
          RUN_MIGRATE,
      )
    }
  }
  return table.keepDays
}

const RUN_MIGRATE = 'run the command `migrate` of this release'

async function create(engine: Engine): Promise<readonly string[]> {
  const oldestCompatible = compatibleFrom(spansMigrations, NOTHING)
  const record = recordOf({ applied: NAMES, oldestCompatible })
  await engine.command(`${CREATE_SPANS} COMMENT ${record}`)
  // Another program at the address may accept anything.
  if ((await findSpansTable(engine)) === undefined)
    throw new Error('the trace store has not created the table')
  return NAMES
}

const NOTHING = { applied: [], oldestCompatible: undefined }

async function bringUpToDate(engine: Engine, table: SpansTable): Promise<readonly string[]> {
  if (table.state === undefined) {
    requireColumns(table)
    return []
  }
  const missing = missingMigrations(table)
  for (const name of missing) {
    const statement = spansMigrations[name]?.statement
    if (statement !== undefined) await engine.command(statement)
  }
  if (missing.length > 0 || !table.isRecorded) {
    const oldestCompatible = compatibleFrom(spansMigrations, table.state)
    const record = recordOf({ applied: NAMES, oldestCompatible })
    await engine.command(`ALTER TABLE ${SPANS_TABLE} MODIFY COMMENT ${record}`)
  }
  return missing
}

function missingMigrations({ state }: SpansTable): readonly string[] {
  return NAMES.filter((name) => !state?.applied.includes(name))
}

function requireColumns({ missingColumns }: SpansTable): void {
  if (missingColumns.length === 0) return
  throw new SchemaMismatch(
    `the table of spans, which was not created by Slipway, lacks ${missingColumns.join(', ')}: ` +
      'add these columns as in src/store/spans-table.ts',
  )
}
