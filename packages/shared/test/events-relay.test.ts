import { jetstreamManager } from '@nats-io/jetstream'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { connectNats, EVENT_STREAM, replayOutbox, startOutboxRelay } from '../src/events/index.ts'
import { createDatabase } from '../src/db/index.ts'
import { assertNoLeaks, rounds, waitFor } from '@slipway/testing'
import { eventsFixture, type EventsFixture } from './support/events-fixture.ts'

let leaks: AsyncDisposable
let fixture: EventsFixture

beforeEach(async () => {
  leaks = assertNoLeaks()
  fixture = await eventsFixture()
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
  await leaks[Symbol.asyncDispose]()
})

async function allPublished(): Promise<void> {
  await waitFor(async () => (await fixture.unpublished()) === 0, {
    what: 'the outbox to be published',
  })
}

const counted = (aggregate: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${aggregate}.e${from + index}`)

test('publishes each event once, in order per aggregate', async () => {
  fixture.relay()
  for (let index = 1; index <= 5; index += 1) {
    await Promise.all(['a', 'b', 'c'].map((aggregate) => fixture.append(aggregate, `e${index}`)))
  }
  await allPublished()
  for (const aggregate of ['a', 'b', 'c']) {
    expect(await fixture.published(`slipway.deployment.acme.${aggregate}.*`)).toEqual(
      counted(aggregate, 1, 5),
    )
  }
})

test('publishes on a notification, without polling', async () => {
  fixture.use(startOutboxRelay({ ...fixture, pollMs: 3_600_000 }))
  await fixture.append('a', 'e1')
  await allPublished()
  await fixture.append('a', 'e2')
  await allPublished()
  expect(await fixture.published()).toEqual(['a.e1', 'a.e2'])
})

test('publishes events in batches', async () => {
  fixture.relay()
  const startedAt = performance.now()
  for (let index = 1; index <= 60; index += 1) await fixture.append('a', `e${index}`)
  await allPublished()
  const { rows } = await sql<{ batches: number }>`
    SELECT count(DISTINCT published_at) AS batches FROM outbox`.execute(fixture.db)
  // The outbox is queried at most once in 20 ms, however slow the machine is.
  expect(rows[0]?.batches).toBeLessThanOrEqual((performance.now() - startedAt) / 20 + 2)
  expect(await fixture.published()).toEqual(counted('a', 1, 60))
})

test('catches up after NATS was down, in order, without duplicates', async () => {
  fixture.relay()
  await fixture.append('a', 'e1')
  await allPublished()
  await fixture.server.stop({ kill: true })
  for (let index = 2; index <= 20; index += 1) await fixture.append('a', `e${index}`)
  expect(await fixture.unpublished()).toBe(19)
  await fixture.server.start()
  await allPublished()
  expect(await fixture.published()).toEqual(counted('a', 1, 20))
})

test('loses and duplicates nothing while NATS is killed repeatedly under load', async () => {
  fixture.relay()
  let isDone = false
  const writers = ['a', 'b', 'c'].map(async (aggregate) => {
    let count = 0
    while (!isDone) await fixture.append(aggregate, `e${(count += 1)}`)
    return count
  })
  for (let round = 0; round < rounds(1); round += 1) {
    await fixture.server.restart({ kill: true })
    // Reading the stream would take longer each time, while the writers go on.
    const before = await fixture.publishedCount()
    await waitFor(async () => (await fixture.publishedCount()) > before, { what: 'progress' })
  }
  isDone = true
  const counts = await Promise.all(writers)
  await allPublished()
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((id) => fixture.published(`slipway.deployment.acme.${id}.*`)),
  )
  expect(seen).toEqual(
    ['a', 'b', 'c'].map((aggregate, index) => counted(aggregate, 1, counts[index] ?? 0)),
  )
})

test('starts while NATS is down', async () => {
  await fixture.server.stop()
  await using late = connectNats({ url: fixture.server.url, name: 'late', logger: fixture.logger })
  await using _relay = startOutboxRelay({
    db: fixture.db,
    nats: late,
    logger: fixture.logger,
    pollMs: 100,
  })
  await fixture.append('a', 'e1')
  expect(late.isReady).toBe(false)
  await fixture.server.start()
  await allPublished()
  expect(await fixture.published()).toEqual(['a.e1'])
})

test('fills a lost stream again from the outbox', async () => {
  fixture.relay()
  for (let index = 1; index <= 3; index += 1) await fixture.append('a', `e${index}`)
  await allPublished()
  await sql`UPDATE outbox SET published_at = now() - INTERVAL '9 days'`.execute(fixture.db)
  await fixture.server.restart({ kill: true, wipe: true })
  await waitFor(async () => (await fixture.published()).length === 3, { what: 'the replay' })
  await fixture.append('a', 'e4')
  await allPublished()
  expect(await fixture.published()).toEqual(counted('a', 1, 4))
})

test('recreates a stream that is deleted', async () => {
  fixture.relay()
  await fixture.append('a', 'e1')
  await allPublished()
  const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
  await (await jetstreamManager(connection)).streams.delete(EVENT_STREAM)
  await fixture.append('a', 'e2')
  await waitFor(async () => (await fixture.published()).length === 2, { what: 'both events' })
  expect(await fixture.published()).toEqual(['a.e1', 'a.e2'])
})

test('another replica takes over when the active one stops or loses its connection', async () => {
  const otherDb = createDatabase<unknown>({ url: fixture.database.url, applicationName: 'other' })
  fixture.use({ [Symbol.asyncDispose]: () => otherDb.destroy() })
  const first = startOutboxRelay({ ...fixture, pollMs: 50 })
  await fixture.append('a', 'e1')
  await allPublished()
  fixture.use(startOutboxRelay({ ...fixture, db: otherDb, pollMs: 50 }))
  await first[Symbol.asyncDispose]()
  await fixture.append('a', 'e2')
  await allPublished()
  fixture.relay()
  await sql`
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE application_name LIKE 'other %'`.execute(fixture.db)
  await fixture.append('a', 'e3')
  await allPublished()
  expect(await fixture.published()).toEqual(counted('a', 1, 3))
})

test('survives the loss of all its database connections', async () => {
  fixture.relay()
  await fixture.append('a', 'e1')
  await allPublished()
  await using other = createDatabase({ url: fixture.database.url, applicationName: 'killer' })
  await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE application_name LIKE 'events test%'`.execute(other)
  await waitFor(() => fixture.append('a', 'e2').then(() => true), { what: 'the pool' })
  await waitFor(async () => (await fixture.unpublished()) === 0, { what: 'the relay' })
  expect(await fixture.published()).toEqual(['a.e1', 'a.e2'])
})

test('removes events past the retention or the bound, except unpublished ones', async () => {
  await fixture.append('a', 'excess')
  await fixture.append('a', 'old')
  await fixture.append('a', 'new')
  await fixture.append('b', 'waiting')
  await sql`UPDATE outbox SET published_at = now(), stream_id = 'gone'`.execute(fixture.db)
  await sql`
    UPDATE outbox SET published_at = now() - INTERVAL '31 days'
    WHERE subject LIKE '%old'`.execute(fixture.db)
  await sql`
    UPDATE outbox SET published_at = NULL, commit_time = now() - INTERVAL '99 days'
    WHERE aggregate_id = 'b'`.execute(fixture.db)
  // Otherwise the relay would publish the events of the old stream again.
  const { streamId } = await fixture.nats.session(AbortSignal.timeout(60_000))
  await sql`UPDATE outbox SET stream_id = ${streamId} WHERE published_at IS NOT NULL`.execute(
    fixture.db,
  )
  fixture.relay({ retention: { days: 30, events: 3 } })
  const left = async (): Promise<string[]> => {
    const { rows } = await sql<{
      subject: string
    }>`SELECT subject FROM outbox ORDER BY position`.execute(fixture.db)
    return rows.map((row) => row.subject.split('.').slice(3).join('.'))
  }
  await waitFor(async () => (await left()).length === 2, { what: 'the cleanup' })
  expect(await left()).toEqual(['a.new', 'b.waiting'])
})

test('replays the events since a time', async () => {
  fixture.relay()
  for (let index = 1; index <= 3; index += 1) await fixture.append('a', `e${index}`)
  await allPublished()
  await sql`UPDATE outbox SET commit_time = now() - INTERVAL '1 day' WHERE sequence = 1`.execute(
    fixture.db,
  )
  const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
  const manager = await jetstreamManager(connection)
  await manager.streams.update(EVENT_STREAM, { duplicate_window: 100_000_000 })
  await waitFor(
    async () => (await manager.streams.info(EVENT_STREAM)).config.duplicate_window === 100_000_000,
    {
      what: 'the setting',
    },
  )
  await waitFor(
    async () => {
      // The server may still drop one of two events as a duplicate, and take both the next time.
      await manager.streams.purge(EVENT_STREAM)
      await replayOutbox(fixture.db, { since: new Date(Date.now() - 3_600_000) })
      await allPublished()
      return (await fixture.published()).length === 2
    },
    // At times the server keeps ids for the window that was set before, which is two minutes.
    { what: 'the events to be published again', intervalMs: 200, timeoutMs: 300_000 },
  )
  expect(await fixture.published()).toEqual(['a.e2', 'a.e3'])
})
