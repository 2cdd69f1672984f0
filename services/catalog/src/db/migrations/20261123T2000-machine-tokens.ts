import { sql, type Kysely } from 'kysely'

/**
 * Creates the table of machine tokens. They belong to a membership, so that they end with it, also
 * when an older release removes a member or deletes an account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE machine_token (
      id uuid PRIMARY KEY,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      account_id uuid NOT NULL,
      created_by uuid NOT NULL,
      name text COLLATE "C" NOT NULL,
      role text NOT NULL CHECK (role IN ('member', 'admin')),
      create_time timestamptz NOT NULL DEFAULT now(),
      expire_time timestamptz NOT NULL,
      last_use_time timestamptz,
      CONSTRAINT machine_token_hash UNIQUE (hash),
      CONSTRAINT machine_token_name UNIQUE (account_id, name),
      CONSTRAINT machine_token_creator FOREIGN KEY (account_id, created_by)
        REFERENCES member (account_id, user_id) ON DELETE CASCADE
    )`.execute(db)
  await sql`
    CREATE INDEX machine_token_membership ON machine_token (account_id, created_by)`.execute(db)
}
