import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

import { Unavailable } from '../errors.ts'
import type { Database } from './database.ts'
import { mapDatabaseError } from './database-error.ts'

export type { Migration } from 'kysely/migration'

/**
 * Brings the database to the newest of `migrations` (name → migration, run in the order of the
 * names, all in one transaction) and tells which ones it ran. Safe for several starters at once:
 * one works, the others wait. Refuses a database that has migrations this version does not know.
 */
export async function migrate<Schema>(
  db: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  // Waiting for another starter, or moving a big table, takes as long as it takes.
  await using unhurried = db.withOptions({ poolSize: 2, statementTimeoutMs: 0 })
  const migrator = new Migrator({
    db: unhurried,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map((result) => result.migrationName)

  const cause = mapDatabaseError(error)
  if (cause instanceof Unavailable) throw cause
  const unknown = await unknownMigrations(unhurried, migrations)
  if (unknown.length > 0) {
    throw new Error(
      `the database is newer than this version, which does not know: ${unknown.join(', ')}`,
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
