import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { sql, type Transaction } from 'kysely'

/**
 * Records in `trx` that `consumer` applies `event`. Returns false if it has already applied this
 * event or a later one of the same aggregate.
 */
export async function applyOnce<Schema>(
  trx: Transaction<Schema>,
  consumer: string,
  event: Pick<Event, 'aggregateId' | 'sequence'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO consumed_event (consumer, aggregate_id, sequence)
    VALUES (${consumer}, ${event.aggregateId}, ${event.sequence})
    ON CONFLICT (consumer, aggregate_id) DO UPDATE SET sequence = excluded.sequence
    WHERE consumed_event.sequence < excluded.sequence`.execute(trx)
  return numAffectedRows === 1n
}
