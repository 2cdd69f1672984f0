import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createDatabase, migrate, type Database, type Migration } from '../src/db/index.ts'
import { testDatabase, type TestDatabase } from '@slipway/testing'

const first: Record<string, Migration> = {
  '20260101T0000-first': {
    up: async (db) => void (await sql`CREATE TABLE entry (name text PRIMARY KEY)`.execute(db)),
  },
}
const second: Record<string, Migration> = {
  ...first,
  '20260102T0000-second': {
    up: async (db) => {
      await sql`ALTER TABLE entry ADD COLUMN size bigint NOT NULL DEFAULT 5`.execute(db)
      await sql`INSERT INTO entry VALUES ('made by a migration')`.execute(db)
    },
  },
}

/** Longer than a statement takes on a busy machine, and short enough to exceed in a test. */
const STATEMENT_MS = 2_000

let server: TestDatabase
let db: Database<unknown>

beforeEach(async () => {
  server = await testDatabase({ migrations: {} })
  db = createDatabase({ url: server.url, applicationName: 'migrate test' })
})
afterEach(async () => {
  await db.destroy()
  await server[Symbol.asyncDispose]()
})

async function entries(): Promise<unknown[]> {
  return (await sql`SELECT * FROM entry`.execute(db)).rows
}

test('runs missing migrations once, and keeps the data', async () => {
  expect(await migrate(db, first)).toEqual({ applied: ['20260101T0000-first'], newer: [] })
  await sql`INSERT INTO entry VALUES ('old')`.execute(db)
  expect(await migrate(db, second)).toEqual({ applied: ['20260102T0000-second'], newer: [] })
  expect(await migrate(db, second)).toEqual({ applied: [], newer: [] })
  expect(await entries()).toEqual([
    { name: 'old', size: 5 },
    { name: 'made by a migration', size: 5 },
  ])
})

test('ten concurrent processes run a migration once, even past the statement timeout', async () => {
  const slow = {
    ...second,
    '20260103T0000-slow': {
      up: async (on) =>
        void (await sql`SELECT pg_sleep(${(STATEMENT_MS + 500) / 1000})`.execute(on)),
    },
  } satisfies Record<string, Migration>
  const starters = Array.from({ length: 10 }, () =>
    createDatabase({
      url: server.url,
      applicationName: 'starter',
      statementTimeoutMs: STATEMENT_MS,
    }),
  )
  const outcomes = await Promise.all(starters.map((starter) => migrate(starter, slow)))
  await Promise.all(starters.map((starter) => starter.destroy()))
  expect(outcomes.flatMap(({ applied }) => applied)).toEqual(Object.keys(slow))
  expect(await entries()).toHaveLength(1)
})

test('a failing migration is rolled back and named', async () => {
  const broken: Record<string, Migration> = {
    ...first,
    '20260102T0000-broken': {
      up: async (on) => void (await sql`ALTER TABLE nothing ADD COLUMN size bigint`.execute(on)),
    },
  }
  await expect(migrate(db, broken)).rejects.toThrow(
    'migration 20260102T0000-broken failed: relation "nothing" does not exist',
  )
  await expect(entries()).rejects.toThrow('does not exist')
  expect((await migrate(db, second)).applied).toEqual(Object.keys(second))
})
