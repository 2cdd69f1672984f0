import { sql, type Kysely } from 'kysely'

/** Finds the deployments that come from another account, when that account gets another name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX deployment_source ON deployment (source_account_id) WHERE source_account <> ''`.execute(
    db,
  )
}
