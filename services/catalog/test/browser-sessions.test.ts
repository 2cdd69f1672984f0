import { createHash, randomBytes } from 'node:crypto'

import { createClient } from '@connectrpc/connect'
import { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { createGrpcTransport } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { failureOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
const stack = new DisposableStack()
let sessions: ReturnType<typeof createClient<typeof BrowserSessionService>>
let gateway: Awaited<ReturnType<TestCatalog['asService']>>

beforeAll(async () => {
  catalog = await startTestCatalog({ MAX_SESSIONS_PER_USER: '2' }, { sweepIntervalMs: 50 })
  const transport = createGrpcTransport([catalog.grpcAddress], [BrowserSessionService])
  sessions = createClient(BrowserSessionService, stack.use(transport))
  gateway = await catalog.asService('gateway')
})
afterAll(async () => {
  stack.dispose()
  await catalog[Symbol.asyncDispose]()
})

const newHash = () => createHash('sha256').update(randomBytes(32)).digest()

async function create(subject: string) {
  const hash = newHash()
  const userToken = await catalog.issuer.userToken(subject)
  const request = { userToken, hash, sealed: Buffer.from('first') }
  const { session } = await sessions.createBrowserSession(request, gateway)
  return { hash, session }
}

const get = async (hash: Uint8Array) =>
  (await sessions.getBrowserSession({ hash: Buffer.from(hash) }, gateway)).session

test('belongs to the user of the token, who is stored with a personal account', async () => {
  const { hash, session } = await create('new-user')
  const { userId } = await catalog.signIn('new-user')
  expect(session).toMatchObject({ userId, version: 1 })
  expect(await get(hash)).toEqual(session)
})

test('is created with a valid token of a person only', async () => {
  const hash = newHash()
  const sealed = Buffer.from('x')
  for (const [userToken, reason] of [
    [await catalog.issuer.userToken('eve', { foreignKey: true }), 'invalid_token'],
    [await catalog.issuer.serviceToken('gateway'), 'user_required'],
    ['', 'invalid_token'],
  ] as const) {
    const request = { userToken, hash, sealed }
    expect(await failureOf(sessions.createBrowserSession(request, gateway))).toBe(reason)
  }
})

test('its hash and its content have a size', async () => {
  const userToken = await catalog.issuer.userToken('eve')
  for (const [hash, size] of [
    [newHash(), 0],
    [newHash(), 64 * 1024 + 1],
    [Buffer.alloc(31), 1],
  ] as const) {
    const request = { userToken, hash, sealed: Buffer.alloc(size) }
    expect(await failureOf(sessions.createBrowserSession(request, gateway))).toBe(
      'invalid_argument',
    )
  }
})

test('a hash belongs to one session', async () => {
  const { hash } = await create('ann')
  const request = { userToken: await catalog.issuer.userToken('ben'), hash }
  const again = sessions.createBrowserSession({ ...request, sealed: Buffer.from('x') }, gateway)
  expect(await failureOf(again)).toBe('session_exists')
})

describe('the lease', () => {
  test('is given to one of many callers, and only for the current version', async () => {
    const { hash } = await create('lea')
    const lease = async (version: number) =>
      (await sessions.leaseBrowserSession({ hash, version }, gateway)).leaseId
    expect(await lease(2)).toBe('')
    const leases = await Promise.all(Array.from({ length: 20 }, () => lease(1)))
    const [leaseId = '', ...others] = leases.filter((each) => each !== '')
    expect([leaseId, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), []])

    const sealed = Buffer.from('second')
    const foreign = { hash, leaseId: crypto.randomUUID(), sealed }
    expect(await failureOf(sessions.updateBrowserSession(foreign, gateway))).toBe(
      'session_lease_lost',
    )
    const { session } = await sessions.updateBrowserSession({ hash, leaseId, sealed }, gateway)
    expect([session?.version, Buffer.from(session?.sealed ?? []).toString()]).toEqual([2, 'second'])
    const repeated = sessions.updateBrowserSession({ hash, leaseId, sealed }, gateway)
    expect(await failureOf(repeated)).toBe('session_lease_lost')
  })

  test('ends without new content, and by itself', async () => {
    const { hash } = await create('leo')
    const lease = () => sessions.leaseBrowserSession({ hash, version: 1 }, gateway)
    const { leaseId } = await lease()
    await sessions.updateBrowserSession({ hash, leaseId }, gateway)
    expect((await lease()).leaseId).not.toBe('')
    expect((await lease()).leaseId).toBe('')
    await catalog.db
      .updateTable('browser_session')
      .set({ lease_until: new Date(0) })
      .where('hash', '=', hash)
      .execute()
    expect((await lease()).leaseId).not.toBe('')
  })
})

test('a check does not count as a use', async () => {
  const { hash } = await create('ida')
  const hourAgo = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000)
  await catalog.db
    .updateTable('browser_session')
    .set({ last_use_time: hourAgo })
    .where('hash', '=', hash)
    .execute()
  const lastUse = async () =>
    (
      await catalog.db
        .selectFrom('browser_session')
        .select('last_use_time')
        .where('hash', '=', hash)
        .executeTakeFirstOrThrow()
    ).last_use_time
  await sessions.getBrowserSession({ hash, checkOnly: true }, gateway)
  expect(await lastUse()).toEqual(hourAgo)
  await get(hash)
  expect((await lastUse()).getTime()).toBeGreaterThan(hourAgo.getTime())
})

describe('ends', () => {
  test('when its user has newer ones, but not those of others', async () => {
    const [first, other] = [await create('max'), await create('mia')]
    const [second, third] = [await create('max'), await create('max')]
    expect(await failureOf(get(first.hash))).toBe('browser_session_not_found')
    for (const { hash } of [second, third, other]) expect(await get(hash)).toBeDefined()
  })

  test('here, or everywhere, and can be ended again', async () => {
    const [first, second] = [await create('ned'), await create('ned')]
    const end = (hash: Buffer, everywhere: boolean) =>
      sessions.endBrowserSession({ hash, everywhere }, gateway)
    await end(first.hash, false)
    expect(await failureOf(get(first.hash))).toBe('browser_session_not_found')
    expect(await get(second.hash)).toBeDefined()
    const third = await create('ned')
    expect((await end(second.hash, true)).userId).toBe(third.session?.userId)
    expect(await failureOf(get(third.hash))).toBe('browser_session_not_found')
    expect((await end(second.hash, true)).userId).toBe('')
  })

  test.each(['create_time', 'last_use_time'] as const)(
    'at the limit of its %s, and its row is deleted',
    async (column) => {
      const [ended, running] = [await create('old'), await create('old')]
      await catalog.db
        .updateTable('browser_session')
        .set({ [column]: new Date(0) })
        .where('hash', '=', ended.hash)
        .execute()
      expect(await failureOf(get(ended.hash))).toBe('browser_session_not_found')
      const rows = () =>
        catalog.db
          .selectFrom('browser_session')
          .select('hash')
          .where('hash', 'in', [ended.hash, running.hash])
          .execute()
      await expect.poll(rows).toEqual([{ hash: running.hash }])
    },
  )
})
