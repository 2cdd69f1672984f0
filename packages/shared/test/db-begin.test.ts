import { sql } from 'kysely'
import { lineProxy, testDatabase, waitFor, type TestDatabase } from '@slipway/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { createDatabase, transaction, type Database } from '../src/db/index.ts'

// BEGIN is sent together with the first statement of a transaction. If BEGIN fails, the statement
// must not be executed outside a transaction, where it would commit by itself.

let server: TestDatabase
let db: Database<{ item: { name: string } }>
beforeAll(async () => {
  server = await testDatabase({ migrations: {} })
  db = createDatabase({ url: server.url, applicationName: 'begin test' })
  await sql`CREATE TABLE item (name text NOT NULL)`.execute(db)
})
beforeEach(async () => {
  await sql`TRUNCATE item`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await server[Symbol.asyncDispose]()
})

const count = async () => (await sql`SELECT FROM item`.execute(db)).rows.length

/** Replaces `begin` by a word of the same length that the server rejects. */
function withoutBegin(chunk: Buffer): Buffer {
  const text = chunk.toString('latin1')
  return Buffer.from(text.replace(/begin/i, 'bogus'), 'latin1')
}

test.each([
  ['with parameters', sql`INSERT INTO item VALUES (${'a'})`],
  ['without parameters', sql`INSERT INTO item VALUES ('a')`],
])('a first statement %s is not executed when the server rejects BEGIN', async (_, insert) => {
  await using line = await lineProxy(server.url, { alter: withoutBegin })
  await using far = createDatabase({ url: line.url, applicationName: 'far', poolSize: 1 })
  const work = transaction(far, async (trx) => {
    await insert.execute(trx)
  })
  await expect(work).rejects.toThrow('syntax error')
  expect(await count()).toBe(0)
  // The connection is still usable.
  await insert.execute(far)
  expect(await count()).toBe(1)
})

test('a first statement is not committed when the connection is cut after BEGIN', async () => {
  let cutAt = ''
  await using line = await lineProxy(server.url, {
    alter(chunk) {
      const end = chunk.toString('latin1').search(/insert/i)
      if (end < 0) return chunk
      cutAt = chunk.subarray(0, end).toString('latin1')
      setImmediate(() => line.cut())
      return chunk.subarray(0, end)
    },
  })
  await using far = createDatabase({ url: line.url, applicationName: 'far', poolSize: 1 })
  const work = transaction(far, async (trx) => {
    await sql`INSERT INTO item VALUES (${'a'})`.execute(trx)
  })
  await expect(work).rejects.toThrow('database is unavailable')
  expect(cutAt).toContain('BEGIN')
  await waitFor(
    async () => {
      const { rows } =
        await sql`SELECT FROM pg_stat_activity WHERE application_name = 'far'`.execute(db)
      return rows.length === 0
    },
    { what: 'the server to end the session' },
  )
  expect(await count()).toBe(0)
})
