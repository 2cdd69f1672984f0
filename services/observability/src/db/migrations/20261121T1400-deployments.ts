import { sql, type Kysely } from 'kysely'

/** The index of deployments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deployment (
      deployment_id text collate "C" primary key,
      account_id text collate "C" not null,
      agent text collate "C" not null,
      build_id text collate "C" not null,
      revision integer not null,
      k8s_namespace text collate "C" not null,
      is_live boolean not null
    )`.execute(db)
  await sql`create index deployment_agent on deployment (account_id, agent)`.execute(db)
}
