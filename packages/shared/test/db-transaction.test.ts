import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { isTransient, transaction, uniqueViolation, type Database } from '../src/db/index.ts'
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

test('commits, and returns the body’s result', async () => {
  const size = await transaction(db, async (trx) => {
    const row = await trx
      .insertInto('item')
      .values({ name: 'a', size: 7 })
      .returning('size')
      .executeTakeFirstOrThrow()
    return row.size
  })
  expect(size).toBe(7)
  expect(await fixture.names()).toEqual(['a'])
})

test('rolls back when the body throws, and rejects with its error', async () => {
  const work = transaction(db, async (trx) => {
    await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  expect(await fixture.names()).toEqual([])
})

test('does not commit after a failed statement whose error was ignored', async () => {
  const work = transaction(db, async (trx) => {
    await trx.insertInto('item').values({ name: 'a', size: 1 }).execute()
    await sql`SELECT 1 / 0`.execute(trx).catch(() => {})
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await fixture.names()).toEqual([])
})

test('makes a leaked handle throw', async () => {
  let leaked: Transaction<ItemSchema> | undefined
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
  expect(await fixture.names()).toEqual([])
})

test('makes the outer handle throw inside, but not after', async () => {
  await expect(transaction(db, async () => await fixture.names())).rejects.toThrow(
    'must use the transaction handle',
  )
  expect(await fixture.names()).toEqual([])
})

test('lets work that outlives the transaction use the database afterwards', async () => {
  const over = Promise.withResolvers<void>()
  let later: Promise<string[]> | undefined
  await transaction(db, async () => {
    later = over.promise.then(() => fixture.names())
  })
  over.resolve()
  expect(await later).toEqual([])
})

test('rejects with the violated constraint', async () => {
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

test('runs a lost race again if allowed, else rejects with Unavailable', async () => {
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
      reasonOf(
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

/** Resolves for all callers once there are `parties` of them. */
function barrier(parties: number): () => Promise<void> {
  const all = Promise.withResolvers<void>()
  let arrived = 0
  return async () => {
    arrived += 1
    if (arrived === parties) all.resolve()
    await all.promise
  }
}
