import { sql } from 'kysely'

import type { Db } from './tables.ts'

/** An event of the outbox, published or not. */
export interface OutboxEventRow {
  readonly sequence: number
  readonly subject: string
  readonly payload: Buffer
}

const MAX_EVENTS = 200

/** Lists the events of a deployment after a sequence number, in order. */
export async function listEventsAfter(
  db: Db,
  deploymentId: string,
  sequence: number,
): Promise<OutboxEventRow[]> {
  const { rows } = await sql<OutboxEventRow>`
    SELECT sequence, subject, payload FROM outbox
     WHERE aggregate_id = ${deploymentId} AND sequence > ${sequence}
     ORDER BY sequence LIMIT ${MAX_EVENTS}`.execute(db)
  return rows
}

/** Returns the sequence number of a deployment's last event; 0 when there is none. */
export async function lastEventSequence(db: Db, deploymentId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    SELECT last FROM aggregate_sequence WHERE aggregate_id = ${deploymentId}`.execute(db)
  return rows[0]?.last ?? 0
}

/**
 * Whether the outbox still has every event of a deployment after a sequence number; the relay
 * removes old events. True when there has been no event since.
 */
export async function hasEventsAfter(
  db: Db,
  deploymentId: string,
  sequence: number,
): Promise<boolean> {
  const { rows } = await sql<{ last: number; next: number | null }>`
    SELECT last,
           (SELECT min(sequence) FROM outbox
             WHERE aggregate_id = ${deploymentId} AND sequence > ${sequence}) AS next
      FROM aggregate_sequence WHERE aggregate_id = ${deploymentId}`.execute(db)
  const [row] = rows
  return row !== undefined && (row.last === sequence || row.next === sequence + 1)
}
