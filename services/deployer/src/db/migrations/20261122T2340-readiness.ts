import { sql, type Kysely } from 'kysely'

/**
 * Adds since when and for how long the deployment was ready with a revision. `records_readiness` is
 * false for revisions that an older release created, which doesn't record it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE revision
      ADD COLUMN records_readiness boolean NOT NULL DEFAULT false,
      ADD COLUMN ready_time timestamptz,
      ADD COLUMN ready_since timestamptz,
      ADD COLUMN ready_ms bigint NOT NULL DEFAULT 0`.execute(db)
}
