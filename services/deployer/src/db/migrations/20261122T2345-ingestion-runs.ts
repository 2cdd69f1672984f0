import { sql, type Kysely } from 'kysely'

/** Creates the table of the runs of ingestions, and adds the suspended schedules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ingestion_run (
      deployment_id uuid NOT NULL REFERENCES deployment ON DELETE CASCADE,
      job_uid text COLLATE "C" NOT NULL,
      component text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      trigger text NOT NULL CHECK (trigger IN ('schedule', 'startup', 'manual')),
      state text NOT NULL CHECK (state IN (
        'pending', 'running', 'succeeded', 'failed', 'canceled')),
      reason text NOT NULL DEFAULT '',
      revision integer NOT NULL,
      create_time timestamptz NOT NULL,
      start_time timestamptz,
      end_time timestamptz,
      exit_code integer,
      attempts integer NOT NULL DEFAULT 0,
      pod text COLLATE "C" NOT NULL DEFAULT '',
      PRIMARY KEY (deployment_id, job_uid)
    )`.execute(db)
  await sql`
    CREATE INDEX ingestion_run_newest
      ON ingestion_run (deployment_id, component, create_time DESC, job_uid DESC)
  `.execute(db)
  await sql`
    ALTER TABLE deployment ADD COLUMN suspended_ingestions jsonb NOT NULL DEFAULT '[]'
  `.execute(db)
}
