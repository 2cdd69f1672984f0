import { createDatabase } from '@slipway/shared/db'
import { testDatabase, waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrateCatalog, replayCatalogEvents } from '../src/commands.ts'
import { readConfig } from '../src/config.ts'
import { startTestCatalog } from './support/catalog.ts'

const config = (url: string) =>
  readConfig({
    DATABASE_URL: url,
    AUTH_ISSUERS: JSON.stringify([{ issuer: 'https://issuer.example' }]),
  })

test('migrate makes the tables, from several processes at once and again', async () => {
  await using database = await testDatabase({ migrations: {} })
  await Promise.all(Array.from({ length: 4 }, () => migrateCatalog(config(database.url))))
  await migrateCatalog(config(database.url))
  await using db = createDatabase({ url: database.url, applicationName: 'test' })
  const { rows } = await sql<{
    name: string
  }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['account', 'build', 'catalog_entry', 'outbox']),
  )
})

test('replay has events published again', async () => {
  await using catalog = await startTestCatalog()
  await catalog.signIn('ann')
  const unpublished = async () => {
    const { rows } = await sql`SELECT FROM outbox WHERE published_at IS NULL`.execute(catalog.db)
    return rows.length
  }
  await waitFor(async () => (await unpublished()) === 0, { what: 'the event to be published' })
  await catalog.nats.stop()
  expect(await replayCatalogEvents(config(catalog.databaseUrl), '2999-01-01T00:00:00Z')).toBe(0)
  expect(await replayCatalogEvents(config(catalog.databaseUrl), '2020-01-01T00:00:00Z')).toBe(1)
  await catalog.nats.start()
  await waitFor(async () => (await unpublished()) === 0, {
    what: 'the event to be published again',
  })
  await expect(replayCatalogEvents(config(catalog.databaseUrl), 'yesterday')).rejects.toThrow(
    'replay needs a time',
  )
})
