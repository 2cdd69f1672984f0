import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

import { Unavailable } from '../errors.ts'
import type { Database } from './database.ts'
import { mapDatabaseError } from './database-error.ts'

export type { Migration } from 'kysely/migration'

/**
 * Runs the `migrations` that the database doesn't have yet, in the order of their names and in one
 * transaction, and returns their names. Several processes can call it at once: one works, the
 * others wait. Throws if the database has migrations that this version doesn't know.
 */
export async function migrate<Schema>(
  db: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  // Waiting for another process, or changing a large table, may take long.
  await using patient = db.withOptions({ poolSize: 2, statementTimeoutMs: 0 })
  const migrator = new Migrator({
    db: patient,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map((result) => result.migrationName)

  const cause = mapDatabaseError(error)
  if (cause instanceof Unavailable) throw cause
  const unknown = await unknownMigrations(patient, migrations)
  if (unknown.length > 0) {
    throw new Error(
      `the database is newer than this version, which doesn't know: ${unknown.join(', ')}`,
      { cause },
    )
  }
  const failed = results.find((result) => result.status === 'Error')?.migrationName
  throw new Error(failed ? `migration ${failed} failed` : 'the migration failed', { cause })
}

async function unknownMigrations<Schema>(
  db: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name))
}
