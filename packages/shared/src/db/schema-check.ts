import type { Database } from './database.ts'
import type { Migration } from './migrate.ts'
import { newerMigrations, SchemaMismatch } from './schema-compatibility.ts'
import { readSchemaState } from './schema-state.ts'

/**
 * Returns a readiness check that rejects with SchemaMismatch until the database has the migrations
 * of this release. Those of newer releases that this one can work with do no harm. Once it resolves
 * it asks no more: migrations are never undone.
 */
export function schemaCheck<Schema>(
  db: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
): () => Promise<void> {
  const known = Object.keys(migrations).toSorted()
  let isGood = false
  return async () => {
    if (isGood) return
    const state = await readSchemaState(db)
    newerMigrations(known, state)
    const missing = known.filter((name) => !state.applied.includes(name))
    if (missing.length > 0) {
      throw new SchemaMismatch(
        `the database lacks ${missing.join(', ')}: run the command \`migrate\` of this release`,
      )
    }
    isGood = true
  }
}
