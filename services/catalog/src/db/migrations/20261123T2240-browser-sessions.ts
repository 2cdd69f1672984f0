import { sql, type Kysely } from 'kysely'

/** Creates the table of the sessions of browsers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE browser_session (
      id uuid PRIMARY KEY,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
      sealed bytea NOT NULL,
      version integer NOT NULL DEFAULT 1,
      create_time timestamptz NOT NULL DEFAULT now(),
      last_use_time timestamptz NOT NULL DEFAULT now(),
      lease_id uuid,
      lease_until timestamptz,
      CONSTRAINT browser_session_hash UNIQUE (hash)
    )`.execute(db)
  await sql`
    CREATE INDEX browser_session_user ON browser_session (user_id, create_time)`.execute(db)
}
