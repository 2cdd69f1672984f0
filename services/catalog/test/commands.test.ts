import { createDatabase } from '@slipway/shared/db'
import { migrateDatabase, replayEvents } from '@slipway/shared/database-commands'
import { testDatabase, waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import { startTestCatalog } from './support/catalog.ts'

test('migrate creates the tables, can run concurrently, and can be repeated', async () => {
  await using database = await testDatabase({ migrations: {} })
  const migrateCatalog = () =>
    migrateDatabase({ service: 'catalog', url: database.url }, migrations, { report: () => {} })
  await Promise.all(Array.from({ length: 4 }, migrateCatalog))
  await migrateCatalog()
  await using db = createDatabase({ url: database.url, applicationName: 'test' })
  const { rows } = await sql<{
    name: string
  }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['account', 'build', 'catalog_entry', 'outbox']),
  )
})

test('replay publishes events again', async () => {
  await using catalog = await startTestCatalog()
  await catalog.signIn('ann')
  const unpublished = async () => {
    const { rows } = await sql`SELECT FROM outbox WHERE published_at IS NULL`.execute(catalog.db)
    return rows.length
  }
  await waitFor(async () => (await unpublished()) === 0, { what: 'the event to be published' })
  await catalog.nats.stop()
  const database = { service: 'catalog', url: catalog.databaseUrl }
  expect(await replayEvents(database, '2999-01-01T00:00:00Z')).toBe(0)
  expect(await replayEvents(database, '2020-01-01T00:00:00Z')).toBe(1)
  await catalog.nats.start()
  await waitFor(async () => (await unpublished()) === 0, {
    what: 'the event to be published again',
  })
  await expect(replayEvents(database, 'yesterday')).rejects.toThrow('replay needs a time')
})
