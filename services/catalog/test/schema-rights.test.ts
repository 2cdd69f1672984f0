import { randomBytes } from 'node:crypto'

import { migrateDatabase } from '@slipway/shared/database-commands'
import { createDatabase } from '@slipway/shared/db'
import { testDatabase, waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import { startTestCatalog } from './support/catalog.ts'

test('serves as a user that cannot change the schema, once another one has migrated', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase({ migrations: {} }))
  const owner = stack.use(createDatabase({ url: database.url, applicationName: 'owner' }))
  const role = `service_${randomBytes(8).toString('hex')}`
  await sql.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`).execute(owner)
  stack.defer(async () => {
    await sql.raw(`DROP OWNED BY ${role}`).execute(owner)
    await sql.raw(`DROP ROLE ${role}`).execute(owner)
  })
  const rights = 'SELECT, INSERT, UPDATE, DELETE'
  for (const grant of [
    `GRANT ${rights} ON ALL TABLES IN SCHEMA public TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${rights} ON TABLES TO ${role}`,
  ])
    await sql.raw(grant).execute(owner)
  const url = new URL(database.url)
  url.username = role
  url.password = 'hunter2'

  const catalog = stack.use(await startTestCatalog({ DATABASE_URL: url.href }))
  const readiness = async () => (await fetch(`http://${catalog.opsAddress}/readyz`)).json()
  await expect.poll(readiness).toEqual({ status: 'unavailable', failing: ['database_schema'] })
  const report = () => {}
  await expect(
    migrateDatabase({ service: 'catalog', url: url.href }, migrations, { report }),
  ).rejects.toThrow('permission denied')
  await migrateDatabase({ service: 'catalog', url: database.url }, migrations, { report })
  await expect.poll(readiness).toEqual({ status: 'ok', failing: [] })

  await catalog.signIn('ann')
  const published = async () =>
    (await sql`SELECT FROM outbox WHERE published_at IS NOT NULL`.execute(owner)).rows.length > 0
  await waitFor(published, { what: 'the event to be published' })
  await migrateDatabase({ service: 'catalog', url: url.href }, migrations, { report })
})
