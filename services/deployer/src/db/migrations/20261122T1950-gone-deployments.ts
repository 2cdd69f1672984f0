import { sql, type Kysely } from 'kysely'

/** Indexes the deployments whose namespace is gone, for their retention. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX deployment_gone ON deployment (account_id, namespace_gone_time)
      WHERE namespace_gone_time IS NOT NULL
  `.execute(db)
}
