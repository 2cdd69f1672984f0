import { fromBinary } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { EventSchema } from '@slipway/proto/slipway/events/v1/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createDatabase, transaction, type Database } from '../src/db/index.ts'
import {
  appendEvent,
  applyOnce,
  consumedEventMigration,
  outboxMigration,
} from '../src/events/index.ts'
import { testDatabase, waitFor, type TestDatabase } from '@slipway/testing'
import { eventInput } from './support/events-fixture.ts'

let database: TestDatabase
let db: Database<unknown>

beforeAll(async () => {
  database = await testDatabase({
    migrations: { '1-outbox': outboxMigration, '2-consumed': consumedEventMigration },
  })
  db = createDatabase({ url: database.url, applicationName: 'outbox test', poolSize: 20 })
})
beforeEach(async () => {
  await sql`TRUNCATE outbox, aggregate_sequence, consumed_event`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database[Symbol.asyncDispose]()
})

interface Row {
  id: string
  aggregate_id: string
  sequence: number
  subject: string
  payload: Buffer
  commit_time: Date
}

async function rows(): Promise<Row[]> {
  return (await sql<Row>`SELECT * FROM outbox ORDER BY position`.execute(db)).rows
}

describe('appendEvent', () => {
  test('writes the whole event', async () => {
    const appended = await transaction(db, (trx) => appendEvent(trx, eventInput('d1')))
    const [row] = await rows()
    expect(row).toMatchObject({
      ...appended,
      aggregate_id: 'd1',
      sequence: 1,
      subject: 'slipway.deployment.acme.d1.applied',
    })
    const event = fromBinary(EventSchema, row?.payload ?? new Uint8Array())
    expect(event).toMatchObject({
      id: appended.id,
      accountId: 'acme',
      aggregateId: 'd1',
      sequence: 1n,
      requestId: 'request-1',
      traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
      payload: {
        case: 'deploymentApplied',
        value: { deployment: { agent: 'support', revision: 1 } },
      },
    })
    expect(event.commitTime && timestampDate(event.commitTime)).toEqual(row?.commit_time)
  })

  test('writes nothing and uses no sequence number when it is rolled back', async () => {
    await transaction(db, async (trx) => {
      await appendEvent(trx, eventInput('d1'))
      throw new Error('no')
    }).catch(() => {})
    expect(await rows()).toEqual([])
    await transaction(db, (trx) => appendEvent(trx, eventInput('d1')))
    expect((await rows()).map((row) => row.sequence)).toEqual([1])
  })

  test('gives concurrent writers of an aggregate one order without gaps', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        transaction(db, async (trx) => {
          await appendEvent(trx, eventInput(index % 2 ? 'odd' : 'even'))
          if (index % 5 === 0) throw new Error('rolled back')
        }).catch(() => {}),
      ),
    )
    const byAggregate = Map.groupBy(await rows(), (row) => row.aggregate_id)
    for (const aggregate of ['odd', 'even']) {
      const own = byAggregate.get(aggregate) ?? []
      expect(own.map((row) => row.sequence)).toEqual(
        Array.from({ length: 24 }, (_, index) => index + 1),
      )
      expect(own.map((row) => row.commit_time)).toEqual(
        own.map((row) => row.commit_time).toSorted((a, b) => +a - +b),
      )
    }
  })

  test('notifies listeners of commits, at most once in 20 ms', async () => {
    const listener = await db.openConnection('listener')
    try {
      let notifications = 0
      listener.on('notification', () => (notifications += 1))
      await listener.query('LISTEN outbox')
      const append = (aggregateId: string) =>
        transaction(db, (trx) => appendEvent(trx, eventInput(aggregateId)))
      const rolledBack = transaction(db, async (trx) => {
        await appendEvent(trx, eventInput('d0'))
        throw new Error('no')
      })
      await expect(rolledBack).rejects.toThrow('no')
      const startedAt = performance.now()
      for (let index = 1; index <= 200; index += 1) await append(`d${index}`)
      // At most one in 20 ms; timers can fire a little early.
      const most = (performance.now() - startedAt) / 15 + 2
      await waitFor(() => notifications > 0, { what: 'the notification' })
      // Earlier notifications arrive before the result of this statement.
      await listener.query('LISTEN outbox')
      expect(notifications).toBeLessThanOrEqual(most)
    } finally {
      await listener.end()
    }
  })

  test.each(['a.b', '', 'a b', '*', '>', 'é'])('rejects %j in a subject', async (aggregateId) => {
    const append = transaction(db, (trx) => appendEvent(trx, eventInput(aggregateId)))
    await expect(append).rejects.toThrow("is not a valid token for an event's subject")
  })

  test('rejects an event that is too large for NATS', async () => {
    const errors = ['x'.repeat(600_000)]
    const payload = { case: 'deploymentPartial', value: { errors } } as const
    await expect(
      transaction(db, (trx) => appendEvent(trx, { ...eventInput('d1'), payload })),
    ).rejects.toThrow(RangeError)
    expect(await rows()).toEqual([])
  })
})

describe('applyOnce', () => {
  const apply = (consumer: string, sequence: bigint): Promise<boolean> =>
    transaction(db, (trx) => applyOnce(trx, consumer, { aggregateId: 'd1', sequence }))

  test('is true only for events that are new to the consumer', async () => {
    expect(await apply('one', 1n)).toBe(true)
    expect(await apply('one', 1n)).toBe(false)
    expect(await apply('two', 1n)).toBe(true)
    expect(await apply('one', 5n)).toBe(true)
    expect(await apply('one', 4n)).toBe(false)
  })

  test('records nothing when the transaction is rolled back', async () => {
    await transaction(db, async (trx) => {
      await applyOnce(trx, 'one', { aggregateId: 'd1', sequence: 1n })
      throw new Error('no')
    }).catch(() => {})
    expect(await apply('one', 1n)).toBe(true)
  })

  test('is true for one of many concurrent callers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => apply('one', 1n)))
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})
