import { sql, type Kysely } from 'kysely'

/**
 * Forgets the answers kept for idempotency keys: they were stored before v1 of the API, in other
 * shapes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DELETE FROM idempotency_key`.execute(db)
}
