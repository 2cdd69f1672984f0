import { sql, type Generated, type Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import {
  createDatabase,
  isTransient,
  transaction,
  uniqueViolation,
  type Database,
} from '../src/db/index.ts'
import { Unavailable } from '../src/errors.ts'
import { lineProxy, testDatabase, waitFor, type TestDatabase } from '@slipway/testing'

interface Schema {
  item: { id: Generated<number>; name: string; size: number }
}

const migrations = {
  '20260101T0000-item': {
    up: async (db: { schema: Database<unknown>['schema'] }) => {
      await db.schema
        .createTable('item')
        .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('size', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}

let server: TestDatabase
let db: Database<Schema>

beforeAll(async () => {
  server = await testDatabase({ migrations })
  db = createDatabase<Schema>({ url: server.url, applicationName: 'db test', poolSize: 4 })
})
beforeEach(async () => {
  await db.deleteFrom('item').execute()
})
afterAll(async () => {
  await db.destroy()
  await server[Symbol.asyncDispose]()
})

async function names(): Promise<string[]> {
  return (await db.selectFrom('item').select('name').orderBy('name').execute()).map(
    (row) => row.name,
  )
}

async function reason(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'resolved',
    (error: unknown) => (error instanceof Unavailable ? error.reason : String(error)),
  )
}

describe('values', () => {
  test('bigint arrives as a number, timestamptz as a Date, and what does not fit fails', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      SELECT count(*) AS count, 9007199254740991::bigint AS largest, ARRAY[1, NULL, 3]::bigint[] AS list,
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

describe('transaction', () => {
  test('commits what the body did, and gives its result', async () => {
    const size = await transaction(db, async (trx) => {
      const row = await trx
        .insertInto('item')
        .values({ name: 'a', size: 7 })
        .returning('size')
        .executeTakeFirstOrThrow()
      return row.size
    })
    expect(size).toBe(7)
    expect(await names()).toEqual(['a'])
  })

  test('rolls back when the body throws, and the error is the body’s own', async () => {
    const work = transaction(db, async (trx) => {
      await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await names()).toEqual([])
  })

  test('does not commit half: a statement whose error was swallowed fails the whole', async () => {
    const work = transaction(db, async (trx) => {
      await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
      await sql`SELECT 1 / 0`.execute(trx).catch(() => {})
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await names()).toEqual([])
  })

  test('a handle that leaked out is dead', async () => {
    let leaked: Transaction<Schema> | undefined
    await transaction(db, async (trx) => {
      leaked = trx
    })
    await expect(
      leaked?.insertInto('item').values({ name: 'late', size: 1 }).execute(),
    ).rejects.toThrow('already committed')
    await transaction(db, async (trx) => {
      leaked = trx
      throw new Error('no')
    }).catch(() => {})
    await expect(leaked?.selectFrom('item').selectAll().execute()).rejects.toThrow(
      'already rolled back',
    )
    expect(await names()).toEqual([])
  })

  test('the outer handle is refused inside, and works again after', async () => {
    await expect(transaction(db, async () => await names())).rejects.toThrow(
      'must use the transaction handle',
    )
    expect(await names()).toEqual([])
  })

  test('work that was started inside and lives longer may use the database once the transaction is over', async () => {
    const over = Promise.withResolvers<void>()
    let later: Promise<string[]> | undefined
    await transaction(db, async () => {
      later = over.promise.then(names)
    })
    over.resolve()
    expect(await later).toEqual([])
  })

  test('tells which constraint was violated', async () => {
    await db.insertInto('item').values({ name: 'a', size: 1 }).execute()
    const error: unknown = await db
      .insertInto('item')
      .values({ name: 'a', size: 2 })
      .execute()
      .catch((caught: unknown) => caught)
    expect(uniqueViolation(error)).toBe('item_name_key')
    expect(isTransient(error)).toBe(false)
    expect(uniqueViolation(new Error('item_name_key'))).toBeUndefined()
  })

  test('a lost race is run again when the caller allows it, and Unavailable when not', async () => {
    await db.insertInto('item').values({ name: 'counter', size: 0 }).execute()
    const bothHaveRead = barrier(2)
    const increment = (retries: number): Promise<void> => {
      let runs = 0
      return transaction(
        db,
        async (trx) => {
          runs += 1
          const { size } = await trx.selectFrom('item').select('size').executeTakeFirstOrThrow()
          if (runs === 1) await bothHaveRead()
          await trx
            .updateTable('item')
            .set({ size: size + 1 })
            .execute()
        },
        { isolationLevel: 'serializable', retries },
      )
    }
    await Promise.all([increment(5), increment(5)])
    expect((await db.selectFrom('item').select('size').executeTakeFirstOrThrow()).size).toBe(2)

    const again = barrier(2)
    const outcomes = await Promise.all(
      [1, 2].map((step) =>
        reason(
          transaction(
            db,
            async (trx) => {
              const { size } = await trx.selectFrom('item').select('size').executeTakeFirstOrThrow()
              await again()
              await trx
                .updateTable('item')
                .set({ size: size + step })
                .execute()
            },
            { isolationLevel: 'serializable' },
          ),
        ),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['database_unavailable', 'resolved'])
  })
})

describe('faults', () => {
  test('a connection that is cut in a transaction makes it Unavailable, and the pool gets over it', async () => {
    const work = transaction(db, async (trx) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx)
      await using other = createDatabase({ url: server.url, applicationName: 'killer' })
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(other)
      await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
    })
    expect(await reason(work)).toBe('database_unavailable')
    expect(await names()).toEqual([])
  })

  test('idle connections that are cut are replaced', async () => {
    await Promise.all([db.ping(), db.ping(), db.ping()])
    await using other = createDatabase({ url: server.url, applicationName: 'killer' })
    await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'db test'`.execute(
      other,
    )
    await waitFor(async () => (await reason(db.ping())) === 'resolved', {
      what: 'the pool to notice',
    })
    expect(await names()).toEqual([])
  })

  test('a statement that takes too long, and a pool with nothing left, are Unavailable', async () => {
    await using small = createDatabase<Schema>({
      url: server.url,
      applicationName: 'small',
      poolSize: 1,
      statementTimeoutMs: 300,
      acquireTimeoutMs: 100,
    })
    // The connection is to be had within 100 ms only when it is there already.
    const isConnected = async () => (await reason(small.ping())) === 'resolved'
    await waitFor(isConnected, { what: 'the connection' })
    const slow = reason(sql`SELECT pg_sleep(20)`.execute(small))
    expect(await reason(small.ping())).toBe('database_unavailable')
    expect(await slow).toBe('database_unavailable')
    await waitFor(isConnected, { what: 'the pool to be used again' })
  })

  test('a line that goes dead without a word fails the query in time, and is not used again', async () => {
    await using line = await lineProxy(server.url)
    await using far = createDatabase({
      url: line.url,
      applicationName: 'far',
      poolSize: 1,
      statementTimeoutMs: 2_000,
    })
    await far.ping()
    line.freeze()
    expect(await reason(sql`SELECT 1 AS late`.execute(far))).toBe('database_unavailable')
    line.thaw()
    expect((await sql`SELECT 2 AS next`.execute(far)).rows).toEqual([{ next: 2 }])
  })

  test('a transaction whose line is cut between two queries is rolled back', async () => {
    await using line = await lineProxy(server.url)
    await using far = createDatabase<Schema>({ url: line.url, applicationName: 'far' })
    const work = transaction(far, async (trx) => {
      await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
      line.cut()
      await waitFor(
        async () => (await reason(sql`SELECT 1`.execute(trx))) === 'database_unavailable',
        {
          what: 'the cut',
        },
      )
    })
    expect(await reason(work)).toBe('database_unavailable')
    expect(await names()).toEqual([])
    await far.ping()
  })

  test('a server that is not there is Unavailable', async () => {
    await using nowhere = createDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      applicationName: 'nowhere',
    })
    expect(await reason(nowhere.ping())).toBe('database_unavailable')
    expect(await reason(transaction(nowhere, async () => {}))).toBe('database_unavailable')
  })
})

/** Resolves for all once `parties` have arrived. */
function barrier(parties: number): () => Promise<void> {
  const all = Promise.withResolvers<void>()
  let arrived = 0
  return async () => {
    arrived += 1
    if (arrived === parties) all.resolve()
    await all.promise
  }
}
