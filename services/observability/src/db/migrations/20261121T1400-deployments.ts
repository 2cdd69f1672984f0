import { sql, type Kysely } from 'kysely'

/** Creates the index of deployments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment (
      deployment_id text COLLATE "C" PRIMARY KEY,
      account_id text COLLATE "C" NOT NULL,
      agent text COLLATE "C" NOT NULL,
      build_id text COLLATE "C" NOT NULL,
      revision integer NOT NULL,
      k8s_namespace text COLLATE "C" NOT NULL,
      is_live boolean NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX deployment_agent ON deployment (account_id, agent)`.execute(db)
}
