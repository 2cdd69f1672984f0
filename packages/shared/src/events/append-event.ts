import { randomUUID } from 'node:crypto'

import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { EventSchema } from '@slipway/proto/slipway/events/v1/event'
import { sql, type Transaction } from 'kysely'

import { notifyOnCommit } from '../db/index.ts'

/**
 * Well below the NATS default of 1 MiB: a message that the server rejects would block the outbox.
 */
const MAX_EVENT_BYTES = 512 * 1024

/** A valid token of a NATS subject. */
const SUBJECT_TOKEN = /^[A-Za-z0-9_-]+$/

/** The kind of aggregate that an event is about: the second token of its subject. */
export type EventKind = 'account' | 'agent' | 'build' | 'deployment' | 'user' | 'version'

export interface EventInput {
  /** The id of the user if the event is about a user. */
  readonly accountId: string
  /** The id of the deployment, agent, account or user that changed. */
  readonly aggregateId: string
  readonly kind: EventKind
  /** The event in lower snake case, e.g. `renamed`: the last token of the subject. */
  readonly event: string
  readonly payload: NonNullable<MessageInitShape<typeof EventSchema>['payload']>
  readonly requestId?: string | undefined
  readonly traceparent?: string | undefined
}

export interface AppendedEvent {
  readonly id: string
  readonly sequence: number
}

/**
 * Writes an event that is published if and when `trx` commits. Locks the aggregate's row until
 * then, so that sequences have no gaps and follow the commit order. Append as late in the
 * transaction as possible.
 */
export async function appendEvent<Schema>(
  trx: Transaction<Schema>,
  input: EventInput,
): Promise<AppendedEvent> {
  const subject = subjectOf(input)
  const { rows } = await sql<{ last: number; now: Date }>`
    WITH next AS (
      INSERT INTO aggregate_sequence (aggregate_id, last) VALUES (${input.aggregateId}, 1)
      ON CONFLICT (aggregate_id) DO UPDATE SET last = aggregate_sequence.last + 1
      RETURNING last
    )
    SELECT last, clock_timestamp() AS now FROM next`.execute(trx)
  const [next] = rows
  if (!next) throw new Error('the event has no sequence number')

  const id = randomUUID()
  const event = create(EventSchema, {
    id,
    commitTime: timestampFromDate(next.now),
    accountId: input.accountId,
    aggregateId: input.aggregateId,
    sequence: BigInt(next.last),
    requestId: input.requestId ?? '',
    traceparent: input.traceparent ?? '',
    payload: input.payload,
  })
  const payload = toBinary(EventSchema, event)
  if (payload.length > MAX_EVENT_BYTES)
    throw new RangeError(
      `the event ${subject} has ${payload.length} bytes; the limit is ${MAX_EVENT_BYTES}`,
    )
  await sql`
    INSERT INTO outbox (id, account_id, aggregate_id, sequence, subject, payload, commit_time)
    VALUES (
      ${id}, ${input.accountId}, ${input.aggregateId}, ${next.last}, ${subject}, ${payload},
      ${next.now}
    )`.execute(trx)
  notifyOnCommit(trx, 'outbox')
  return { id, sequence: next.last }
}

function subjectOf({ kind, accountId, aggregateId, event }: EventInput): string {
  const tokens = ['slipway', kind, accountId, aggregateId, event]
  const invalid = tokens.find((token) => !SUBJECT_TOKEN.test(token))
  if (invalid !== undefined)
    throw new Error(`${JSON.stringify(invalid)} is not a valid token for an event's subject`)
  return tokens.join('.')
}
