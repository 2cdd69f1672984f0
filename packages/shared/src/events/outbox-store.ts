import { sql } from 'kysely'

import type { Database } from '../db/index.ts'

/** An event that NATS has not acknowledged yet. */
export interface UnpublishedEvent {
  readonly position: number
  readonly id: string
  readonly aggregateId: string
  readonly subject: string
  readonly payload: Buffer
}

/**
 * Makes the relay publish the events that were committed at or after `since` again, in order.
 * Returns their number. NATS drops events that it received within its duplicate window; consumers
 * ignore events that they have applied.
 */
export async function replayOutbox<Schema>(
  db: Database<Schema>,
  options: { since: Date },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE outbox SET published_at = NULL, stream_id = NULL
    WHERE published_at IS NOT NULL AND commit_time >= ${options.since}`.execute(db)
  db.notifySoon('outbox')
  return Number(numAffectedRows)
}

/**
 * The oldest unpublished events. A subquery finds the first one: reading the first entry of the
 * index is fast, while a scan would visit the dead entries of all events published since the last
 * vacuum.
 */
export async function takeUnpublished<Schema>(
  db: Database<Schema>,
  limit: number,
): Promise<UnpublishedEvent[]> {
  const { rows } = await sql<UnpublishedEvent>`
    SELECT position, id, aggregate_id AS "aggregateId", subject, payload
    FROM outbox
    WHERE published_at IS NULL
      AND position >= (SELECT min(position) FROM outbox WHERE published_at IS NULL)
    ORDER BY position LIMIT ${limit}`.execute(db)
  return rows
}

/** The age of the oldest unpublished event in seconds; 0 if all are published. */
export async function ageOfOldestUnpublished<Schema>(db: Database<Schema>): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM clock_timestamp() - commit_time)::float8 AS seconds
    FROM outbox
    WHERE position = (SELECT min(position) FROM outbox WHERE published_at IS NULL)`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Marks events as acknowledged by the stream. */
export async function markPublished<Schema>(
  db: Database<Schema>,
  positions: number[],
  streamId: string,
): Promise<void> {
  await sql`
    UPDATE outbox SET published_at = now(), stream_id = ${streamId}
    WHERE position = ANY(${positions}::bigint[])`.execute(db)
}

/**
 * Unmarks events that the stream may not have, so that they are published again: those of a lost
 * stream, and the latest ones, because a server acknowledges before it syncs to disk. The server
 * drops duplicates by their ids.
 */
export async function requeueUncertain<Schema>(
  db: Database<Schema>,
  streamId: string,
  latestMs: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE outbox SET published_at = NULL, stream_id = NULL
    WHERE published_at IS NOT NULL
      AND (
        stream_id IS DISTINCT FROM ${streamId}
        OR published_at > now() - ${latestMs} * INTERVAL '1 millisecond'
      )`.execute(db)
  return Number(numAffectedRows)
}

/** Which published events are kept. */
export interface OutboxRetention {
  readonly days: number
  /** At most this many, the newest ones. */
  readonly events: number
}

/** Removes up to `limit` published events that need not be kept; returns their number. */
export async function removeOld<Schema>(
  db: Database<Schema>,
  { days, events }: OutboxRetention,
  limit: number,
): Promise<number> {
  // Each condition has its index.
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM outbox WHERE position IN (
      (SELECT position FROM outbox
       WHERE published_at < now() - ${days} * INTERVAL '1 day'
       LIMIT ${limit})
      UNION
      (SELECT position FROM outbox
       WHERE published_at IS NOT NULL
         AND position <= (SELECT max(position) FROM outbox) - ${events}::bigint
       ORDER BY position LIMIT ${limit})
    )`.execute(db)
  return Number(numAffectedRows)
}
