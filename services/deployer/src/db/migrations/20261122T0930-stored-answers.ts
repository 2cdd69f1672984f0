import { sql, type Kysely } from 'kysely'

/**
 * Deletes the responses stored for idempotency keys, which have the format from before v1 of the
 * API.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DELETE FROM idempotency_key`.execute(db)
}
