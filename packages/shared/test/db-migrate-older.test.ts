import { testDatabase, type TestDatabase } from '@slipway/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import {
  createDatabase,
  migrate,
  schemaCheck,
  type Database,
  type Migration,
} from '../src/db/index.ts'

const CREATE = '20260101T0000-create'
const EXPAND = '20260102T0000-add-title'
const CONTRACT = '20260103T0000-drop-name'

function run(statement: string): Migration['up'] {
  return async (db) => void (await sql.raw(statement).execute(db))
}

/** Three releases: one renames a column in two steps, which takes it two more. */
const created: Record<string, Migration> = {
  [CREATE]: { up: run('CREATE TABLE entry (name text)') },
}
const expanded: Record<string, Migration> = {
  ...created,
  [EXPAND]: { up: run('ALTER TABLE entry ADD COLUMN title text') },
}
const contracted: Record<string, Migration> = {
  ...expanded,
  [CONTRACT]: { up: run('ALTER TABLE entry DROP COLUMN name'), oldestCompatible: EXPAND },
}

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

/** Everything that a migration can change. */
async function contents(): Promise<unknown> {
  const columns = await sql`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY 1, 2`.execute(db)
  const applied = await sql`SELECT * FROM kysely_migration ORDER BY name`.execute(db)
  const mark = await sql`SELECT * FROM schema_compatibility`.execute(db)
  return [columns.rows, applied.rows, mark.rows]
}

test('an older release accepts a schema that it can work with, and changes nothing', async () => {
  await migrate(db, created)
  await migrate(db, expanded)
  const before = await contents()
  expect(await migrate(db, created)).toEqual({ applied: [], newer: [EXPAND] })
  expect(await contents()).toEqual(before)

  await migrate(db, contracted)
  expect(await migrate(db, expanded)).toEqual({ applied: [], newer: [CONTRACT] })
})

test('a release from before a contracting migration is refused, with the remedy', async () => {
  await migrate(db, contracted)
  const before = await contents()
  await expect(migrate(db, created)).rejects.toThrow(
    `the schema is newer than this release, which can't work with it: it has ${EXPAND}, ` +
      `${CONTRACT}. Run a release that knows migration ${EXPAND}; this one ends with ${CREATE}`,
  )
  expect(await contents()).toEqual(before)
})

test('a new database is as compatible as one that was migrated step by step', async () => {
  await migrate(db, expanded)
  expect(await migrate(db, created)).toEqual({ applied: [], newer: [EXPAND] })
})

test('a later migration without a mark keeps the previous one', async () => {
  await migrate(db, contracted)
  const later = { ...contracted, '20260104T0000-later': { up: run('SELECT 1') } }
  expect((await migrate(db, later)).applied).toEqual(['20260104T0000-later'])
  await expect(migrate(db, created)).rejects.toThrow(`a release that knows migration ${EXPAND}`)
  expect((await migrate(db, expanded)).newer).toEqual([CONTRACT, '20260104T0000-later'])
})

test('a schema without a record is compatible with the releases that know all of it', async () => {
  await migrate(db, expanded)
  await sql`DROP TABLE schema_compatibility`.execute(db)
  await expect(migrate(db, created)).rejects.toThrow(`a release that knows migration ${EXPAND}`)
  expect(await migrate(db, expanded)).toEqual({ applied: [], newer: [] })

  const additive = { ...expanded, [CONTRACT]: { up: run('SELECT 1') } }
  await migrate(db, additive)
  expect(await migrate(db, expanded)).toEqual({ applied: [], newer: [CONTRACT] })
  await expect(migrate(db, created)).rejects.toThrow(`a release that knows migration ${EXPAND}`)
})

test('releases from different lines of development refuse the schema of the other', async () => {
  await migrate(db, expanded)
  const fork = { ...created, '20260103T0000-fork': { up: run('SELECT 1') } }
  await expect(migrate(db, fork)).rejects.toThrow(
    `the schema has ${EXPAND}, which this release doesn't know, and lacks 20260103T0000-fork`,
  )
})

test('old and new releases that start at once agree on the newest schema', async () => {
  const starters = [contracted, expanded, contracted, expanded, contracted, expanded]
  const handles = starters.map(() =>
    createDatabase<unknown>({ url: server.url, applicationName: 'starter' }),
  )
  const outcomes = await Promise.all(
    starters.map((migrations, index) => migrate(handles[index] ?? db, migrations)),
  )
  await Promise.all(handles.map((handle) => handle.destroy()))
  expect(outcomes.flatMap(({ applied }) => applied).toSorted()).toEqual(Object.keys(contracted))
  expect((await migrate(db, contracted)).applied).toEqual([])
  expect((await migrate(db, expanded)).newer).toEqual([CONTRACT])
})

test('a mark must name the migration itself or an earlier one', async () => {
  const wrong = { ...created, [EXPAND]: { up: run('SELECT 1'), oldestCompatible: CONTRACT } }
  await expect(migrate(db, wrong)).rejects.toThrow(
    `oldestCompatible of ${EXPAND} must name it or an earlier migration`,
  )
})

test('a service is ready with its schema or a newer one that it can work with', async () => {
  const isReady = schemaCheck(db, expanded)
  await expect(isReady()).rejects.toThrow(`the database lacks ${CREATE}, ${EXPAND}: run`)
  await migrate(db, created)
  await expect(isReady()).rejects.toThrow(`the database lacks ${EXPAND}: run the command`)
  await migrate(db, contracted)
  await isReady()
  await expect(schemaCheck(db, created)()).rejects.toThrow(`knows migration ${EXPAND}`)
})
