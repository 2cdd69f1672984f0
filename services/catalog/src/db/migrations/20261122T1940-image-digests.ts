import { sql, type Kysely } from 'kysely'

/** Adds the digests of a build's images. Builds without any, and of older releases, have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE build ADD COLUMN image_digests_json text NOT NULL DEFAULT '{}'`.execute(db)
}
