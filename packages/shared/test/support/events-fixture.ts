import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
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
import { createLogger, type Logger } from '../../src/logger.ts'
import { testDatabase, testNats, type TestDatabase, type TestNats } from '@slipway/testing'

/** A database with an outbox, a nats-server, and one process's connections to both. */
export interface EventsFixture extends AsyncDisposable {
  readonly server: TestNats
  readonly database: TestDatabase
  readonly db: Database<unknown>
  readonly nats: Nats
  readonly logger: Logger
  /** Disposed of, before the connections, with the fixture. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource
  relay(options?: { retentionDays?: number }): AsyncDisposable
  /** Appends one event in a transaction of its own. */
  append(aggregateId: string, event?: string): Promise<void>
  unpublished(): Promise<number>
  /** The subjects' last two tokens with the sequence, as the stream has them now. */
  published(subject?: string): Promise<string[]>
}

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
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

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

/** Reads over a connection of its own, as somebody else would. */
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
