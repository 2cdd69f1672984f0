import { sql, type Kysely } from 'kysely'

/**
 * Stores who created an account, who holds a former name, and when and with whose consent somebody
 * became a member. Existing members keep showing their names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN created_by uuid REFERENCES app_user`.execute(db)
  await sql`UPDATE account SET created_by = personal_user_id WHERE type = 'personal'`.execute(db)
  await sql`CREATE INDEX account_created_by ON account (created_by)`.execute(db)
  await sql`ALTER TABLE account_name ADD COLUMN held_by uuid REFERENCES app_user`.execute(db)
  await sql`
    CREATE INDEX account_name_held_by ON account_name (held_by) WHERE held_by IS NOT NULL
  `.execute(db)
  await sql`
    ALTER TABLE member
      ADD COLUMN join_time timestamptz,
      ADD COLUMN is_confirmed boolean NOT NULL DEFAULT true`.execute(db)
  await sql`
    ALTER TABLE member
      ALTER COLUMN join_time SET DEFAULT now(),
      ALTER COLUMN is_confirmed SET DEFAULT false`.execute(db)
  await sql`
    CREATE INDEX member_joined ON member (user_id, join_time NULLS FIRST, account_id)
  `.execute(db)
  await sql`DROP INDEX member_user`.execute(db)
}
