import { sql, type Kysely } from 'kysely'

/** Indexes the deployments of other accounts' agents by source account, for renames. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX deployment_source ON deployment (source_account_id)
      WHERE source_account <> ''
  `.execute(db)
}
