import { sql, type Kysely } from 'kysely'

/** Creates the table of replaced ingest tokens that are still valid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE former_ingest_token (
      token_sha256 bytea PRIMARY KEY,
      deployment_id uuid NOT NULL REFERENCES deployment ON DELETE CASCADE,
      replace_time timestamptz NOT NULL DEFAULT now(),
      expire_time timestamptz NOT NULL,
      ends_when_ready boolean NOT NULL
    )`.execute(db)
  await sql`
    CREATE INDEX former_ingest_token_deployment
      ON former_ingest_token (deployment_id, replace_time DESC)
  `.execute(db)
}
