import { sql, type Kysely } from 'kysely'

/** Creates the table that counts the spans of each account and day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE span_usage (
      account_id text COLLATE "C",
      day date,
      spans bigint NOT NULL,
      PRIMARY KEY (account_id, day)
    )`.execute(db)
}
