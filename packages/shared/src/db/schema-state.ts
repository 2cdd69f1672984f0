import { sql, type Kysely } from 'kysely'

import type { SchemaState } from './schema-compatibility.ts'

/** Reads which migrations a database has, and which releases can work with it. */
export async function readSchemaState<Schema>(db: Kysely<Schema>): Promise<SchemaState> {
  const migrations = (await hasTable(db, 'kysely_migration'))
    ? await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
    : undefined
  const marks = (await hasTable(db, 'schema_compatibility'))
    ? await sql<{ mark: string }>`
        SELECT oldest_compatible AS mark FROM schema_compatibility`.execute(db)
    : undefined
  return {
    applied: migrations?.rows.map(({ name }) => name) ?? [],
    oldestCompatible: marks?.rows[0]?.mark,
  }
}

/** Records which releases can work with a database. */
export async function recordCompatibility(
  db: Kysely<unknown>,
  oldestCompatible: string | undefined,
): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS schema_compatibility (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      oldest_compatible text NOT NULL
    )`.execute(db)
  await sql`
    INSERT INTO schema_compatibility (oldest_compatible) VALUES (${oldestCompatible})
    ON CONFLICT (only_row) DO UPDATE SET oldest_compatible = EXCLUDED.oldest_compatible
  `.execute(db)
}

async function hasTable<Schema>(db: Kysely<Schema>, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT to_regclass(${name}) IS NOT NULL AS exists`.execute(db)
  return rows[0]?.exists ?? false
}
