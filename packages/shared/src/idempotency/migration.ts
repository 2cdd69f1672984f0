import { sql } from 'kysely'

import type { Migration } from '../db/index.ts'

/**
 * What a service needs that takes idempotency keys: the answers that it has given, by whom and what
 * for.
 */
export const idempotencyMigration: Migration = {
  async up(db) {
    await sql`
      create table idempotency_key (
        scope bytea primary key,
        fingerprint text not null,
        response bytea not null,
        create_time timestamptz not null default now()
      )`.execute(db)
    await sql`create index idempotency_key_age on idempotency_key (create_time)`.execute(db)
  },
}
