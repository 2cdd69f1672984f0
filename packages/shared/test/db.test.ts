import { sql } from 'kysely'
import { lineProxy, waitFor } from '@slipway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createDatabase, transaction, type Database } from '../src/db/index.ts'
import {
  itemsFixture,
  reasonOf,
  type ItemSchema,
  type ItemsFixture,
} from './support/items-fixture.ts'

let fixture: ItemsFixture
let db: Database<ItemSchema>

beforeAll(async () => {
  fixture = await itemsFixture()
  db = fixture.db
})
beforeEach(async () => {
  await db.deleteFrom('item').execute()
})
afterAll(() => fixture[Symbol.asyncDispose]())

describe('values', () => {
  test('bigint is a number, or an error if too large; timestamptz is a Date', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      SELECT count(*) AS count, 9007199254740991::bigint AS largest,
             ARRAY[1, NULL, 3]::bigint[] AS list,
             '2026-11-21 12:00:00+01'::timestamptz AS time, 1.50::numeric AS amount`.execute(db)
    expect(rows).toEqual([
      {
        count: 1,
        largest: Number.MAX_SAFE_INTEGER,
        list: [1, null, 3],
        time: new Date('2026-11-21T11:00Z'),
        amount: '1.50',
      },
    ])
    await expect(sql`SELECT 9007199254740992::bigint`.execute(db)).rejects.toThrow(RangeError)
  })
})

describe('faults', () => {
  test('a connection cut in a transaction is Unavailable, and the pool recovers', async () => {
    const work = transaction(db, async (trx) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx)
      await using other = createDatabase({ url: fixture.server.url, applicationName: 'killer' })
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(other)
      await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
    })
    expect(await reasonOf(work)).toBe('database_unavailable')
    expect(await fixture.names()).toEqual([])
  })

  test('idle connections are replaced when they are cut', async () => {
    await Promise.all([db.ping(), db.ping(), db.ping()])
    await using other = createDatabase({ url: fixture.server.url, applicationName: 'killer' })
    await sql`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'db test'`.execute(other)
    await waitFor(async () => (await reasonOf(db.ping())) === 'resolved', {
      what: 'the pool to recover',
    })
    expect(await fixture.names()).toEqual([])
  })

  test('a statement timeout and an exhausted pool are Unavailable', async () => {
    await using small = createDatabase<ItemSchema>({
      url: fixture.server.url,
      applicationName: 'small',
      poolSize: 1,
      statementTimeoutMs: 300,
      acquireTimeoutMs: 100,
    })
    // Connecting may take longer than acquireTimeoutMs.
    const isConnected = async () => (await reasonOf(small.ping())) === 'resolved'
    await waitFor(isConnected, { what: 'the connection' })
    const slow = reasonOf(sql`SELECT pg_sleep(20)`.execute(small))
    expect(await reasonOf(small.ping())).toBe('database_unavailable')
    expect(await slow).toBe('database_unavailable')
    await waitFor(isConnected, { what: 'the pool to recover' })
  })

  test('a dead connection fails the query in time, and its connection is not reused', async () => {
    await using line = await lineProxy(fixture.server.url)
    await using far = createDatabase({
      url: line.url,
      applicationName: 'far',
      poolSize: 1,
      statementTimeoutMs: 2_000,
    })
    // On a busy machine, connecting may take longer than statementTimeoutMs.
    await waitFor(async () => (await reasonOf(far.ping())) === 'resolved', {
      what: 'the connection',
    })
    line.freeze()
    expect(await reasonOf(sql`SELECT 1 AS late`.execute(far))).toBe('database_unavailable')
    line.thaw()
    const next = async () => (await sql`SELECT 2 AS next`.execute(far)).rows
    expect(await waitFor(next, { what: 'another connection' })).toEqual([{ next: 2 }])
  })

  test('a transaction is rolled back when its connection is cut between two queries', async () => {
    await using line = await lineProxy(fixture.server.url)
    await using far = createDatabase<ItemSchema>({ url: line.url, applicationName: 'far' })
    const work = transaction(far, async (trx) => {
      await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
      line.cut()
      await waitFor(
        async () => (await reasonOf(sql`SELECT 1`.execute(trx))) === 'database_unavailable',
        {
          what: 'the cut',
        },
      )
    })
    expect(await reasonOf(work)).toBe('database_unavailable')
    expect(await fixture.names()).toEqual([])
    await far.ping()
  })

  test('an unreachable server is Unavailable', async () => {
    await using nowhere = createDatabase({
      url: 'postgres://user@127.0.0.1:1/none',
      applicationName: 'nowhere',
    })
    expect(await reasonOf(nowhere.ping())).toBe('database_unavailable')
    expect(await reasonOf(transaction(nowhere, async () => {}))).toBe('database_unavailable')
  })
})
