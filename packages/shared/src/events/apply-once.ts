import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { sql, type Transaction } from 'kysely'

/**
 * Notes in `trx` that `consumer` applies `event` there, and tells whether it should: false when it
 * has already applied this one or a later one of the same aggregate.
 */
export async function applyOnce<Schema>(
  trx: Transaction<Schema>,
  consumer: string,
  event: Pick<Event, 'aggregateId' | 'sequence'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into consumed_event (consumer, aggregate_id, sequence)
    values (${consumer}, ${event.aggregateId}, ${event.sequence})
    on conflict (consumer, aggregate_id) do update set sequence = excluded.sequence
    where consumed_event.sequence < excluded.sequence`.execute(trx)
  return numAffectedRows === 1n
}
