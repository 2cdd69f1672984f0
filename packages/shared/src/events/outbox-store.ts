import { sql } from 'kysely'

import type { Database } from '../db/index.ts'

/** An event that NATS does not have yet. */
export interface UnpublishedEvent {
  readonly position: number
  readonly id: string
  readonly aggregateId: string
  readonly subject: string
  readonly payload: Buffer
}

/**
 * Hands the events that were committed at or after `since` to the relay again, in their order, and
 * tells how many these are. NATS drops those that it got within its duplicate window; consumers
 * ignore what they have applied.
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
 * The oldest events to publish. Where they begin is asked for by itself: the first entry of an
 * index is found without looking at those of events that were published since the last vacuum,
 * while all of its entries are not.
 */
export async function takeUnpublished<Schema>(
  db: Database<Schema>,
  limit: number,
): Promise<UnpublishedEvent[]> {
  const { rows } = await sql<UnpublishedEvent>`
    SELECT position, id, aggregate_id AS "aggregateId", subject, payload
    FROM outbox
    WHERE published_at IS NULL AND position >= (SELECT min(position) FROM outbox WHERE published_at IS NULL)
    ORDER BY position LIMIT ${limit}`.execute(db)
  return rows
}

/** Notes which events the stream has acknowledged. */
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
 * Takes back the mark of events that the stream may not have: those that went to a stream that is
 * gone, and the latest ones, since a server acknowledges before it has synced its disk. The ones
 * that it has it drops by their id.
 */
export async function requeueUncertain<Schema>(
  db: Database<Schema>,
  streamId: string,
  latestMs: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE outbox SET published_at = NULL, stream_id = NULL
    WHERE published_at IS NOT NULL
      AND (stream_id IS DISTINCT FROM ${streamId} OR published_at > now() - ${latestMs} * INTERVAL '1 millisecond')`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Removes published events that are older than the retention; tells how many. */
export async function removeOld<Schema>(
  db: Database<Schema>,
  retentionDays: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM outbox WHERE position IN (
      SELECT position FROM outbox WHERE published_at < now() - ${retentionDays} * INTERVAL '1 day' LIMIT ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
