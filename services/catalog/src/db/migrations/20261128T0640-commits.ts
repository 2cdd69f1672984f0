import { sql, type Kysely } from 'kysely'

/** Adds the commit of a build. Builds of older releases and of clients without one have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE build ADD COLUMN commit_json text`.execute(db)
}
