import { sql, type Kysely } from 'kysely'

/** Stores with which machine token a revision was created, as it was then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE revision
      ADD COLUMN created_by_token_id text COLLATE "C",
      ADD COLUMN created_by_token_name text COLLATE "C"`.execute(db)
}
