import { sql, type Kysely } from 'kysely'

/**
 * Lets builds be deleted. Earlier releases read `build_count` as the ordinal of the latest build,
 * so it keeps that meaning. The new column counts the ordinals that no build has.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE agent ADD COLUMN build_gaps integer NOT NULL DEFAULT 0`.execute(db)
}
