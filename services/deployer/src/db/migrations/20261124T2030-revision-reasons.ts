import { sql, type Kysely } from 'kysely'

/** Stores why a deployment was not ready with a revision, which stays when it is replaced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE revision ADD COLUMN reason text NOT NULL DEFAULT ''`.execute(db)
}
