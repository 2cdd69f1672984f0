import { createDatabase, migrate } from '@slipway/shared/db'
import { testDatabase } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import type { CatalogSchema } from '../src/db/tables.ts'

/** The migrations of the release before accounts had limits. */
const EARLIER = Object.fromEntries(
  Object.entries(migrations).filter(([name]) => name < '20261122T1900'),
)

test('counts what is stored, and existing members stay confirmed', async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await testDatabase({ migrations: EARLIER }))
  const db = stack.use(createDatabase<CatalogSchema>({ url, applicationName: 'test' }))
  const [user, account, agent] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const addBuild = async (ordinal: number) => {
    await sql`
      INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags,
        warnings_json, content_bytes)
      VALUES (${agent}, ${ordinal}, ${`b${ordinal}`}, 'r.example', 'ü', '{}', '{}', '[]', 100)
    `.execute(db)
  }
  await sql`INSERT INTO app_user (id, realm, subject) VALUES (${user}, 'test', 'ann')`.execute(db)
  await sql`
    WITH named AS (INSERT INTO account_name (name, account_id) VALUES ('ann', ${account}))
    INSERT INTO account (id, name, type, personal_user_id)
    VALUES (${account}, 'ann', 'personal', ${user})`.execute(db)
  await sql`INSERT INTO member VALUES (${account}, ${user}, 'owner')`.execute(db)
  await sql`INSERT INTO agent (id, account_id, name) VALUES (${agent}, ${account}, 'a')`.execute(db)
  await addBuild(1)

  await migrate(db, migrations)
  // The previous release writes after the migration, too.
  await addBuild(2)
  expect(await db.selectFrom('account_usage').selectAll().execute()).toEqual([
    { account_id: account, agents: 1, builds: 2, content_bytes: 204 },
  ])
  expect(await db.selectFrom('member').selectAll().execute()).toMatchObject([
    { is_confirmed: true, join_time: null },
  ])
  expect(await db.selectFrom('account').select('created_by').execute()).toEqual([
    { created_by: user },
  ])
})
