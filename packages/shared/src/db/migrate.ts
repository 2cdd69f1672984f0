import type { Kysely } from 'kysely'
import { Migrator, type Migration as KyselyMigration } from 'kysely/migration'

import { Unavailable } from '../errors.ts'
import type { Database } from './database.ts'
import { mapDatabaseError } from './database-error.ts'
import {
  compatibleFrom,
  newerMigrations,
  SchemaMismatch,
  type CompatibilityMark,
  type MigrationOutcome,
  type SchemaState,
} from './schema-compatibility.ts'
import { readSchemaState, recordCompatibility } from './schema-state.ts'

/** A step of a schema. CONTRIBUTING.md has the rules for authors. */
export interface Migration extends KyselyMigration, CompatibilityMark {}

/**
 * Runs the `migrations` that the database doesn't have yet, in the order of their names and in one
 * transaction. Several processes can call it at once: one works, the others wait. Changes nothing
 * in a database that a newer release has migrated; throws SchemaMismatch if this release can't work
 * with it.
 */
export async function migrate<Schema>(
  db: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<MigrationOutcome> {
  // Waiting for another process, or changing a large table, may take long.
  await using patient = db.withOptions({ poolSize: 2, statementTimeoutMs: 0 })
  let newer: readonly string[] = []
  const migrator = new Migrator({
    db: patient,
    provider: {
      // Called by the process that has the lock of migrations.
      async getMigrations() {
        const state = await readSchemaState(patient)
        newer = newerMigrations(Object.keys(migrations), state)
        return { ...recordingMark(migrations, state), ...placeholders(newer) }
      },
    },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return { applied: results.map((result) => result.migrationName), newer }

  const cause = mapDatabaseError(error)
  if (cause instanceof Unavailable || cause instanceof SchemaMismatch) throw cause
  const failed = results.find((result) => result.status === 'Error')?.migrationName
  const what = failed ? `migration ${failed} failed` : 'the migration failed'
  throw new Error(cause instanceof Error ? `${what}: ${cause.message}` : what, { cause })
}

/** Kysely refuses a database with migrations that it isn't given. They have run, so these don't. */
function placeholders(names: readonly string[]): Record<string, KyselyMigration> {
  return Object.fromEntries(names.map((name) => [name, { up: async () => {} }]))
}

/** Lets the last migration that will run record what the schema is compatible with. */
function recordingMark(
  migrations: Readonly<Record<string, Migration>>,
  state: SchemaState,
): Record<string, KyselyMigration> {
  const oldestCompatible = compatibleFrom(migrations, state)
  const last = Object.keys(migrations)
    .filter((name) => !state.applied.includes(name))
    .toSorted()
    .at(-1)
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => {
      const up = async (db: Kysely<unknown>): Promise<void> => {
        await migration.up(db)
        if (name === last) await recordCompatibility(db, oldestCompatible)
      }
      return [name, { up }]
    }),
  )
}
