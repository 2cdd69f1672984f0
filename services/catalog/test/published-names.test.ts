import { createDatabase, migrate } from '@slipway/shared/db'
import { testDatabase } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import type { CatalogSchema } from '../src/db/tables.ts'
import {
  failureOf,
  outcomeOf,
  specOf,
  startTestCatalog,
  type TestCatalog,
} from './support/catalog.ts'

let catalog: TestCatalog
let ann: Awaited<ReturnType<TestCatalog['signIn']>>
let eve: typeof ann
beforeAll(async () => {
  catalog = await startTestCatalog({
    MAX_ACCOUNTS_CREATED_PER_USER: '1000',
    MAX_PUBLISHED_NAMES_PER_ACCOUNT: '2',
    MAX_HELD_NAMES_PER_USER: '1',
  })
  ann = await catalog.signIn('ann')
  eve = await catalog.signIn('eve')
})
afterAll(() => catalog[Symbol.asyncDispose]())

const create = (name: string, user = ann) => catalog.accounts.createAccount({ name }, user.options)
const rename = (account: string, newName: string, user = ann) =>
  catalog.accounts.renameAccount({ account, newName }, user.options)

async function publish(account: string, user = ann) {
  const build = { account, name: 'helper', buildId: 'b1' }
  const specContent = specOf('helper')
  await catalog.agents.registerBuild({ ...build, registry: 'r.example', specContent }, user.options)
  await catalog.agents.publishBuild({ ...build, version: '1.0.0' }, user.options)
}

async function resolve(sourceAccount: string) {
  return await catalog.agents.resolveBuild(
    { accountId: eve.accountId, sourceAccount, name: 'helper', version: '1.0.0' },
    await catalog.asService('deployer'),
  )
}

/** Ends all holds, as if years had passed. */
const letYearsPass = (db = catalog.db) =>
  sql`UPDATE account_name SET held_until = held_until - INTERVAL '10 years'`.execute(db)

test('never gives a name with a published version to another account', async () => {
  const { account } = await create('source')
  await publish('source')
  await catalog.agents.yankVersion(
    { account: 'source', name: 'helper', version: '1.0.0' },
    ann.options,
  )
  await rename('source', 'source-now')
  await letYearsPass()
  // A rename also deletes the names whose hold is over.
  await rename('source-now', 'source-later')
  await letYearsPass()

  expect(await failureOf(create('source', eve))).toBe('account_name_taken')
  expect(await failureOf(rename('eve', 'source', eve))).toBe('account_name_taken')
  const { account: personal } = await catalog.signIn('source')
  expect(personal).toBe('source-2')
  expect(await failureOf(resolve('source'))).toBe('account_not_found')

  await rename('source-later', 'source')
  expect(await resolve('source')).toMatchObject({ sourceAccountId: account?.id })
})

test('keeps the previous name of a personal account, too', async () => {
  await publish('eve', eve)
  await rename('eve', 'eve-now', eve)
  await letYearsPass()
  expect(await failureOf(create('eve'))).toBe('account_name_taken')
  await rename('eve-now', 'eve', eve)
})

test('a name without a published version becomes free when its hold is over', async () => {
  await create('unused')
  await publish('unused').then(() => rename('unused', 'used'))
  await create('private')
  await rename('private', 'private-now')
  await letYearsPass()
  expect(await outcomeOf(create('private', eve))).toBe('ok')
})

test('an account keeps a bounded number of names, next to those reserved by the user', async () => {
  await create('burn-0')
  await publish('burn-0')
  await rename('burn-0', 'burn-1')
  await rename('burn-1', 'burn-2')
  expect(await failureOf(rename('burn-2', 'burn-3'))).toBe('too_many_published_names')
  expect(await outcomeOf(create('burn-3', eve))).toBe('ok')
  // Taking one back keeps their number.
  await rename('burn-2', 'burn-0')
  // They aren't the names that the user reserves.
  await create('plain')
  await rename('plain', 'plain-now')
  expect(await failureOf(rename('plain-now', 'plain-later'))).toBe('too_many_held_names')
})

test('the migration keeps names of before, and of renames by the previous release', async () => {
  await using stack = new AsyncDisposableStack()
  const earlier = Object.fromEntries(
    Object.entries(migrations).filter(([name]) => name < '20261128'),
  )
  const { url } = stack.use(await testDatabase({ migrations: earlier }))
  const db = stack.use(createDatabase<CatalogSchema>({ url, applicationName: 'test' }))
  const [published, unpublished, agent] = Array.from({ length: 3 }, () => crypto.randomUUID())
  await sql`
    WITH named AS (
      INSERT INTO account_name (name, account_id, held_until) VALUES
        ('now', ${published}, NULL),
        ('held', ${published}, now() + INTERVAL '1 day'),
        ('released', ${published}, now() - INTERVAL '1 day'),
        ('left-before', ${published}, now() - INTERVAL '1 year'),
        ('other', ${unpublished}, NULL),
        ('other-held', ${unpublished}, now() + INTERVAL '1 day')
    ) INSERT INTO account (id, name, type)
    VALUES (${published}, 'now', 'team'), (${unpublished}, 'other', 'team')`.execute(db)
  await sql`INSERT INTO agent (id, account_id, name, version_count)
    VALUES (${agent}, ${published}, 'a', 1)`.execute(db)
  await sql`
    INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags,
      warnings_json, content_bytes, version, version_key, is_stable, publish_time)
    VALUES (${agent}, 1, 'b', 'r.example', '', '{}', '{}', '[]', 1, '1.0.0', '\\x01', true,
      now() - INTERVAL '30 days')`.execute(db)

  await migrate(db, migrations)
  const kept = async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM account_name WHERE held_until = 'infinity' ORDER BY name`.execute(db)
    return rows.map(({ name }) => name)
  }
  expect(await kept()).toEqual(['held', 'released'])
  await sql`
    UPDATE account_name SET held_until = now() + INTERVAL '30 days'
    WHERE name IN ('now', 'other')`.execute(db)
  expect(await kept()).toEqual(['held', 'now', 'released'])
})
