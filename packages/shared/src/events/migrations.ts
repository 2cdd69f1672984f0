import { sql } from 'kysely'

import type { Migration } from '../db/index.ts'

/**
 * What a service that publishes needs: `outbox`, the events in the order in which they were
 * written, and `aggregate_sequence`, the number of the last event of each aggregate.
 */
export const outboxMigration: Migration = {
  async up(db) {
    await sql`
      create table outbox (
        position bigint generated always as identity primary key,
        id uuid not null unique,
        account_id text not null,
        aggregate_id text not null,
        sequence bigint not null,
        subject text not null,
        payload bytea not null,
        commit_time timestamptz not null,
        published_at timestamptz,
        stream_id text,
        unique (aggregate_id, sequence)
      )`.execute(db)
    await sql`create index outbox_unpublished on outbox (position) where published_at is null`.execute(
      db,
    )
    await sql`create index outbox_published on outbox (published_at) where published_at is not null`.execute(
      db,
    )
    await sql`create table aggregate_sequence (aggregate_id text primary key, last bigint not null)`.execute(
      db,
    )
  },
}

/**
 * What a service with a state consumer needs: the last event that each consumer has applied of each
 * aggregate.
 */
export const consumedEventMigration: Migration = {
  async up(db) {
    await sql`
      create table consumed_event (
        consumer text not null,
        aggregate_id text not null,
        sequence bigint not null,
        primary key (consumer, aggregate_id)
      )`.execute(db)
  },
}
