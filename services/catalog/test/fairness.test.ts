import { createHash, randomBytes } from 'node:crypto'

import { createClient } from '@connectrpc/connect'
import { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { createGrpcTransport } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

// Against the pool of connections as it is shipped.

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(() => catalog?.[Symbol.asyncDispose]())

async function countBlocked(): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'catalog'
      AND wait_event_type = 'Lock'`.execute(catalog.db)
  return Number(rows[0]?.count)
}

/** Starts calls that wait for a table, runs `work` meanwhile, then lets them go on. */
async function whileBlocked(
  table: string,
  start: () => Promise<unknown>[],
  work: () => Promise<void>,
): Promise<PromiseSettledResult<unknown>[]> {
  const calls = await catalog.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx)
    const started = start()
    for (const call of started) call.catch(() => {})
    await waitFor(async () => (await countBlocked()) >= 5, { what: 'calls to wait for the table' })
    await work()
    expect(await countBlocked()).toBe(5)
    return started
  })
  return await Promise.allSettled(calls)
}

test('anonymous calls leave connections to signed-in users', async () => {
  const alice = await catalog.signIn('alice')
  const list = (account: string) => catalog.agents.listAgents({ account })
  const outcomes = await whileBlocked(
    'catalog_entry',
    () => Array.from({ length: 64 }, (_, index) => list(`x${index}`)),
    async () => {
      const calls = Array.from({ length: 5 }, () => catalog.accounts.getProfile({}, alice.options))
      for (const { accounts } of await Promise.all(calls)) expect(accounts).toHaveLength(1)
    },
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
})

test('calls of one user leave connections to others, also those that services make', async () => {
  const [mallory, alice] = [await catalog.signIn('mallory'), await catalog.signIn('alice')]
  const name = 'slow'
  await catalog.agents.registerBuild(
    {
      account: mallory.account,
      name,
      buildId: 'b1',
      registry: 'oci://registry.example',
      specContent: specOf(name),
    },
    mallory.options,
  )
  const deployer = await catalog.asService('deployer')
  const { account } = mallory
  await whileBlocked(
    'build',
    () =>
      Array.from({ length: 64 }, () => catalog.agents.getAgent({ account, name }, mallory.options)),
    async () => {
      const { members } = await catalog.accounts.listMembers(
        { account: alice.account },
        alice.options,
      )
      expect(members).toHaveLength(1)
      const access = { account: alice.account, realm: 'test', subject: 'alice' }
      expect((await catalog.accounts.checkAccess(access, deployer)).userId).toBe(alice.userId)
    },
  )
})

test('sign-ins of one user leave connections to others', async () => {
  const alice = await catalog.signIn('alice')
  const gateway = await catalog.asService('gateway')
  using transport = createGrpcTransport([catalog.grpcAddress], [BrowserSessionService])
  const sessions = createClient(BrowserSessionService, transport)
  const userToken = await catalog.issuer.userToken('mallory')
  const signIn = async () => {
    const hash = createHash('sha256').update(randomBytes(32)).digest()
    await sessions.createBrowserSession({ userToken, hash, sealed: Buffer.from('x') }, gateway)
  }
  await signIn()
  const outcomes = await whileBlocked(
    'browser_session',
    () => Array.from({ length: 64 }, signIn),
    async () => {
      const { accounts } = await catalog.accounts.getProfile({}, alice.options)
      expect(accounts).toHaveLength(1)
    },
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
})
