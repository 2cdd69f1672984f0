import { sql } from 'kysely'

import type { Migration } from '../db/index.ts'

/**
 * The tables of a service that publishes events: `outbox`, the events in the order in which they
 * were written, and `aggregate_sequence`, the number of the last event of each aggregate.
 */
export const outboxMigration: Migration = {
  async up(db) {
    await sql`
      CREATE TABLE outbox (
        position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL UNIQUE,
        account_id text NOT NULL,
        aggregate_id text NOT NULL,
        sequence bigint NOT NULL,
        subject text NOT NULL,
        payload bytea NOT NULL,
        commit_time timestamptz NOT NULL,
        published_at timestamptz,
        stream_id text,
        UNIQUE (aggregate_id, sequence)
      )`.execute(db)
    await sql`
      CREATE INDEX outbox_unpublished ON outbox (position)
      WHERE published_at IS NULL`.execute(db)
    await sql`
      CREATE INDEX outbox_published ON outbox (published_at)
      WHERE published_at IS NOT NULL`.execute(db)
    await sql`
      CREATE TABLE aggregate_sequence (
        aggregate_id text PRIMARY KEY,
        last bigint NOT NULL
      )`.execute(db)
  },
}

/**
 * The table of a service with a state consumer: the last event of each aggregate that each consumer
 * has applied.
 */
export const consumedEventMigration: Migration = {
  async up(db) {
    await sql`
      CREATE TABLE consumed_event (
        consumer text NOT NULL,
        aggregate_id text NOT NULL,
        sequence bigint NOT NULL,
        PRIMARY KEY (consumer, aggregate_id)
      )`.execute(db)
  },
}
