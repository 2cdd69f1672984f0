import { sql, type Kysely } from 'kysely'

/**
 * Lets agents and accounts be deleted. The name of a deleted account stays reserved, so its row no
 * longer refers to an account. Agents get the time of their registration, which is unknown for
 * those from before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account_name DROP CONSTRAINT account_name_account_id_fkey`.execute(db)
  await sql`ALTER TABLE agent ADD COLUMN create_time timestamptz`.execute(db)
  await sql`ALTER TABLE agent ALTER COLUMN create_time SET DEFAULT now()`.execute(db)
}
