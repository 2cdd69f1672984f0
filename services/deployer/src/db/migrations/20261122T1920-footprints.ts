import { sql, type Kysely } from 'kysely'

/**
 * Adds what a deployment occupies in the cluster. It is null, or of an earlier revision, if an
 * older release stored the last revision; then it is computed from the template.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployment ADD COLUMN footprint jsonb`.execute(db)
}
