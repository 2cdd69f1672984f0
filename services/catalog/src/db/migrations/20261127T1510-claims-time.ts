import { sql, type Kysely } from 'kysely'

/** Adds when the token was issued that the claims of a user are from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE app_user ADD COLUMN claims_time timestamptz`.execute(db)
}
