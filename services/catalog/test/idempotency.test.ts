import type { CallOptions } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  failureOf,
  outcomeOf,
  specOf,
  startTestCatalog,
  type TestCatalog,
} from './support/catalog.ts'

let catalog: TestCatalog
let ann: Awaited<ReturnType<TestCatalog['signIn']>>
beforeAll(async () => {
  catalog = await startTestCatalog()
  ann = await catalog.signIn('ann')
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

/** Call options with a key; `replays` records whether each response was a replay. */
function keyed(key: string, fingerprint = 'request', user = ann.options) {
  const replays: (string | null)[] = []
  const options: CallOptions = {
    headers: {
      ...user.headers,
      'x-idempotency-key': key,
      'x-idempotency-fingerprint': fingerprint,
    },
    onTrailer: (trailer) => replays.push(trailer.get('x-idempotency-replayed')),
  }
  return { options, replays }
}

const create = (name: string, options: CallOptions) =>
  catalog.accounts.createAccount({ name }, options)
const countOf = async (table: 'account' | 'build') => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM ${sql.table(table)}`.execute(
    catalog.db,
  )
  return rows[0]?.count
}

/** Claims a name in an open transaction, so that other calls for the name wait for its row. */
async function blockName(name: string) {
  const trx = await catalog.db.startTransaction().execute()
  await trx.insertInto('account_name').values({ name, account_id: ann.accountId }).execute()
  return {
    async isWaitedFor(count: number) {
      const waiting = async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND application_name = 'catalog' AND wait_event IN ('transactionid', 'tuple')`.execute(
          catalog.db,
        )
        return rows.length >= count
      }
      await waitFor(waiting, { what: `${count} calls to wait for the name` })
    },
    release: async () => await trx.rollback().execute(),
  }
}

describe('a request with a key', () => {
  test('is executed once, then replayed', async () => {
    const { options, replays } = keyed('create-1')
    const first = await create('once', options)
    expect(await create('once', options)).toEqual(first)
    expect(await create('once', options)).toEqual(first)
    expect(replays).toEqual([null, 'true', 'true'])
    expect(await failureOf(create('once', ann.options))).toBe('account_name_taken')
  })

  test('is rejected for another request', async () => {
    await create('first-use', keyed('create-2').options)
    expect(await failureOf(create('other-use', keyed('create-2', 'another').options))).toBe(
      'idempotency_key_reused',
    )
  })

  test('has a key per user and method', async () => {
    const bob = await catalog.signIn('bob')
    await create('of-ann', keyed('shared').options)
    await create('of-bob', keyed('shared', 'other', bob.options).options)
    const build = {
      account: ann.account,
      name: 'x',
      buildId: 'b1',
      registry: 'r.example',
      specContent: specOf('x'),
    }
    await catalog.agents.registerBuild(build, keyed('shared', 'build').options)
    await catalog.agents.publishBuild(
      { ...build, version: '1.0.0' },
      keyed('shared', 'publish').options,
    )
    const { agents } = await catalog.agents.listAgents({ account: ann.account })
    expect(agents).toMatchObject([{ name: 'x', versions: [{ version: '1.0.0' }] }])
    expect(await countOf('account')).toBeGreaterThanOrEqual(4)
  })

  test('is executed again after a failure', async () => {
    const { options, replays } = keyed('retry')
    await create('blocker', ann.options)
    expect(await failureOf(create('blocker', options))).toBe('account_name_taken')
    await catalog.accounts.renameAccount({ account: 'blocker', newName: 'moved-on' }, ann.options)
    await sql`UPDATE account_name SET held_until = now() WHERE name = 'blocker'`.execute(catalog.db)
    await create('blocker', options)
    await create('blocker', options)
    expect(replays.filter((replay) => replay === 'true')).toHaveLength(1)
  })

  test('is executed once when it is sent many times concurrently', async () => {
    const before = await countOf('account')
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => outcomeOf(create('twins', keyed('twins').options))),
    )
    expect(new Set(outcomes).difference(new Set(['ok', 'idempotency_key_in_use']))).toEqual(
      new Set(),
    )
    expect(outcomes).toContain('ok')
    expect(await countOf('account')).toBe(Number(before) + 1)
  })

  test('is rejected while the first one is running', async () => {
    const { options } = keyed('slow')
    const blocker = await blockName('slow-name')
    const running = outcomeOf(create('slow-name', options))
    await blocker.isWaitedFor(1)
    expect(await failureOf(create('slow-name', options))).toBe('idempotency_key_in_use')
    await blocker.release()
    expect(await running).toBe('ok')
    expect(await outcomeOf(create('slow-name', options))).toBe('ok')
  })

  test('is executed once, even when another replica takes over after a lost lock', async () => {
    const { options } = keyed('lost')
    const replica = await catalog.startReplica()
    const blocker = await blockName('lost-name')
    const running = outcomeOf(create('lost-name', options))
    await blocker.isWaitedFor(1)
    // The replica's session has no lock, so it is not terminated.
    await sql`SELECT pg_terminate_backend(pid, 60000) FROM (
      SELECT DISTINCT pid FROM pg_locks JOIN pg_database ON oid = database
      WHERE datname = current_database() AND locktype = 'advisory' AND granted) AS holder`.execute(
      catalog.db,
    )
    const retry = waitFor(
      async () => {
        const outcome = await outcomeOf(
          replica.accounts.createAccount({ name: 'lost-name' }, options),
        )
        return outcome === 'idempotency_key_in_use' ? undefined : outcome
      },
      { what: 'the key to be released' },
    )
    await blocker.isWaitedFor(2)
    await blocker.release()
    expect([await running, await retry].toSorted()).toEqual(['account_name_taken', 'ok'])
    expect(await outcomeOf(create('lost-name', options))).toBe('ok')
  })

  test('is executed again after 24 hours', async () => {
    const { options, replays } = keyed('old')
    const build = {
      account: ann.account,
      name: 'old',
      buildId: 'b1',
      registry: 'r.example',
      specContent: specOf('old'),
    }
    await catalog.agents.registerBuild(build, options)
    await sql`UPDATE idempotency_key SET create_time = create_time - INTERVAL '25 hours'`.execute(
      catalog.db,
    )
    await catalog.agents.registerBuild(build, options)
    await catalog.agents.registerBuild(build, options)
    expect(replays).toEqual([null, null, 'true'])
  })

  test('removes expired responses', async () => {
    await sql`UPDATE idempotency_key SET create_time = create_time - INTERVAL '25 hours'`.execute(
      catalog.db,
    )
    for (let call = 0; call < 3; call++)
      await failureOf(create('admin', keyed(`cleaner-${call}`).options))
    const { rows } = await sql`SELECT FROM idempotency_key`.execute(catalog.db)
    expect(rows).toEqual([])
  })

  test('is replayed for the same user, whatever they may do now', async () => {
    const account = 'replaying-team'
    await create(account, ann.options)
    const bob = await catalog.signIn('former-admin')
    await catalog.accounts.putMember({ account, userId: bob.userId, role: Role.ADMIN }, ann.options)
    const build = {
      account,
      name: 'x',
      buildId: 'b1',
      registry: 'r.example',
      specContent: specOf('x'),
    }
    const { options, replays } = keyed('before-removal', 'request', bob.options)
    const first = await catalog.agents.registerBuild(build, options)
    await catalog.accounts.deleteMember({ account, userId: bob.userId }, ann.options)
    // The replay changes nothing.
    const builds = await countOf('build')
    expect(await catalog.agents.registerBuild(build, options)).toEqual(first)
    expect([replays, await countOf('build')]).toEqual([[null, 'true'], builds])
    // A new request is rejected, and so is another user with the same key.
    expect(await failureOf(catalog.agents.registerBuild(build, bob.options))).toBe(
      'permission_denied',
    )
    const other = keyed('after-removal', 'request', bob.options).options
    expect(await failureOf(catalog.agents.registerBuild(build, other))).toBe('permission_denied')
    const eve = keyed('before-removal', 'request', await catalog.as('eve')).options
    expect(await failureOf(catalog.agents.registerBuild(build, eve))).toBe('permission_denied')
  })

  test('needs a valid key, a fingerprint and a user, except for reads', async () => {
    const { options } = keyed('x', '')
    await catalog.accounts.getProfile({}, options)
    expect(await failureOf(create('invalid-key', options))).toBe('invalid_argument')
    expect(await failureOf(create('invalid-key', keyed('x'.repeat(256)).options))).toBe(
      'invalid_argument',
    )
    const anonymous = { headers: { 'x-idempotency-key': 'x', 'x-idempotency-fingerprint': 'y' } }
    expect(await failureOf(create('invalid-key', anonymous))).toBe('token_required')
  })
})
