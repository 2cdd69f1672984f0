import { sql, type Kysely } from 'kysely'

/** Adds the revision of an attempt, the endpoints of a revision, and an index for polling. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployment ADD COLUMN attempt_revision integer`.execute(db)
  await sql`ALTER TABLE revision ADD COLUMN endpoints jsonb NOT NULL DEFAULT '[]'`.execute(db)
  await sql`
    CREATE INDEX deployment_progressing ON deployment (id)
      WHERE state = 'progressing' AND undeploy_time IS NULL`.execute(db)
}
