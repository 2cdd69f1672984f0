import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { sql } from 'kysely'

import { createDatabase, transaction, type Database } from '../../src/db/index.ts'
import {
  appendEvent,
  connectNats,
  consumedEventMigration,
  EVENT_STREAM,
  outboxMigration,
  startOutboxRelay,
  type Nats,
} from '../../src/events/index.ts'
import type { OutboxRetention } from '../../src/events/outbox-store.ts'
import { createLogger, type Logger } from '../../src/logging/logger.ts'
import { testDatabase, testNats, waitFor, type TestDatabase, type TestNats } from '@slipway/testing'

/** A database with an outbox, a nats-server, and connections to both. */
export interface EventsFixture extends AsyncDisposable {
  readonly server: TestNats
  readonly database: TestDatabase
  readonly db: Database<unknown>
  readonly nats: Nats
  readonly logger: Logger
  /** Disposes of a resource with the fixture, before the connections. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource
  relay(options?: { retention?: OutboxRetention }): AsyncDisposable
  /** Appends one event in its own transaction. */
  append(aggregateId: string, event?: string): Promise<void>
  unpublished(): Promise<number>
  /** The last two tokens of the subjects in the stream. */
  published(subject?: string): Promise<string[]>
  /** How many events are in the stream. */
  publishedCount(): Promise<number>
}

/** Starts the servers. */
export async function eventsFixture(): Promise<EventsFixture> {
  const logger = createLogger('test', 'silent')
  const stack = new AsyncDisposableStack()
  const server = stack.use(await testNats())
  const database = stack.use(
    await testDatabase({
      migrations: { '1-outbox': outboxMigration, '2-consumed': consumedEventMigration },
    }),
  )
  const db = stack.use(
    createDatabase<unknown>({ url: database.url, applicationName: 'events test', poolSize: 20 }),
  )
  const nats = stack.use(connectNats({ url: server.url, name: 'events test', logger }))
  return {
    server,
    database,
    db,
    nats,
    logger,
    use: (resource) => stack.use(resource),
    relay: (options = {}) =>
      stack.use(startOutboxRelay({ db, nats, logger, pollMs: 200, ...options })),
    async append(aggregateId, event = 'applied') {
      await transaction(db, (trx) => appendEvent(trx, eventInput(aggregateId, event)))
    },
    async unpublished() {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM outbox WHERE published_at IS NULL`.execute(db)
      return rows[0]?.count ?? 0
    },
    published: (subject) => readStream(server.url, subject),
    publishedCount: () => countStream(server.url),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** An event to append. */
export function eventInput(aggregateId: string, event = 'applied') {
  return {
    accountId: 'acme',
    aggregateId,
    kind: 'deployment',
    event,
    payload: {
      case: 'deploymentApplied',
      value: { deployment: { agent: 'support', revision: 1 } },
    },
    requestId: 'request-1',
    traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
  } as const
}

/** A short name for an event: its aggregate and sequence. */
export function label({ aggregateId, sequence }: Event): string {
  return `${aggregateId}${sequence}`
}

/** Waits until a list has at least `count` entries. */
export async function seen(list: readonly unknown[], count: number): Promise<void> {
  await waitFor(() => list.length >= count, { what: `${count} events` })
}

async function countStream(url: string): Promise<number> {
  await using connection = await connect({ servers: url })
  const manager = await jetstreamManager(connection)
  const names = await manager.streams.names().next()
  return names.includes(EVENT_STREAM)
    ? (await manager.streams.info(EVENT_STREAM)).state.messages
    : 0
}

/** Reads the subjects over a separate connection. */
async function readStream(url: string, subject = 'slipway.>'): Promise<string[]> {
  await using connection = await connect({ servers: url })
  const manager = await jetstreamManager(connection)
  const names = await manager.streams.names().next()
  if (!names.includes(EVENT_STREAM)) return []
  const { name, num_pending: count } = await manager.consumers.add(EVENT_STREAM, {
    filter_subject: subject,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.All,
  })
  const consumer = await jetstream(connection).consumers.get(EVENT_STREAM, name)
  const read: string[] = []
  while (read.length < count) {
    const message = await consumer.next({ expires: 30_000 })
    if (!message) break
    read.push(message.subject.split('.').slice(3).join('.'))
  }
  await manager.consumers.delete(EVENT_STREAM, name)
  return read
}
