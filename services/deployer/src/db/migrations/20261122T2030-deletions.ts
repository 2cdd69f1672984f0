import { sql, type Kysely } from 'kysely'

/**
 * Stores which agent a deployment belongs to, which is unknown for those from before, and which
 * agents and accounts are being deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployment ADD COLUMN agent_id text COLLATE "C"`.execute(db)
  await sql`
    CREATE TABLE deletion (
      id text COLLATE "C" PRIMARY KEY,
      held_until timestamptz NOT NULL
    )`.execute(db)
}
