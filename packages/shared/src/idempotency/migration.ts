import { sql } from 'kysely'

import type { Migration } from '../db/index.ts'

/** Creates the table of responses for `withIdempotencyKeys`. */
export const idempotencyMigration: Migration = {
  async up(db) {
    await sql`
      CREATE TABLE idempotency_key (
        scope bytea PRIMARY KEY,
        fingerprint text NOT NULL,
        response bytea NOT NULL,
        create_time timestamptz NOT NULL DEFAULT now()
      )`.execute(db)
    await sql`CREATE INDEX idempotency_key_age ON idempotency_key (create_time)`.execute(db)
  },
}

/** Adds whose responses they are. Those of older releases belong to no one, and expire in a day. */
export const idempotencyOwnerMigration: Migration = {
  async up(db) {
    await sql`ALTER TABLE idempotency_key ADD COLUMN owner bytea`.execute(db)
    await sql`CREATE INDEX idempotency_key_owner ON idempotency_key (owner, create_time)`.execute(
      db,
    )
  },
}
