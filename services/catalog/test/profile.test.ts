import { AccountType, Role } from '@slipway/proto/slipway/catalog/v1/account'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listProfileRows, type ProfileBounds } from '../src/db/users.ts'
import { failureOf, specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

async function withClaims(subject: string, claims: Record<string, unknown>) {
  return {
    headers: { authorization: `Bearer ${await catalog.issuer.userToken(subject, { claims })}` },
  }
}

describe('the first call of a new user', () => {
  test('creates a personal account named after them', async () => {
    const options = await withClaims('sub-ada', {
      preferred_username: 'Ada.Lovelace',
      email: 'ada@example.com',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
    })
    const profile = await catalog.accounts.getProfile({}, options)
    expect(profile.user).toMatchObject({
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
    })
    expect(profile.user?.id).toMatch(/^[\w-]+$/)
    expect(profile.accounts).toMatchObject([
      {
        account: { name: 'ada-lovelace', type: AccountType.PERSONAL },
        role: Role.OWNER,
        agents: [],
      },
    ])
    expect(await catalog.accounts.getProfile({}, options)).toEqual(profile)
  })

  test('creates one account, even for fifty concurrent calls', async () => {
    const options = await catalog.as('crowd')
    const profiles = await Promise.all(
      Array.from({ length: 50 }, () => catalog.accounts.getProfile({}, options)),
    )
    expect(new Set(profiles.map((profile) => JSON.stringify(profile))).size).toBe(1)
    const { count } = await catalog.db
      .selectFrom('account')
      .innerJoin('member', 'member.account_id', 'account.id')
      .where('member.user_id', '=', profiles[0]?.user?.id ?? '')
      .select((query) => query.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  test.each([
    [{ preferred_username: 'crowd-2' }, 'crowd-2'],
    [{ preferred_username: 'Zoë Müller' }, 'zoe-muller'],
    [{ preferred_username: undefined, email: 'bob.b@example.com', email_verified: true }, 'bob-b'],
    [{ preferred_username: undefined, name: 'Eve Adams' }, 'eve-adams'],
    [{ preferred_username: '42', given_name: 'Deep', family_name: 'Thought' }, 'deep-thought'],
    [{ preferred_username: 'admin' }, 'admin-2'],
    [{ preferred_username: 'x'.repeat(60) }, 'x'.repeat(39)],
  ])('names the account of %j %s', async (claims, name) => {
    const { accounts } = await catalog.accounts.getProfile(
      {},
      await withClaims(`sub-${name}`, claims),
    )
    expect(accounts.map(({ account }) => account?.name)).toEqual([name])
  })

  test('appends a number to a taken name, and random digits if there is no name', async () => {
    const names = []
    for (const subject of ['same-1', 'same-2', 'same-3']) {
      const { accounts } = await catalog.accounts.getProfile(
        {},
        await withClaims(subject, { preferred_username: 'same' }),
      )
      names.push(accounts[0]?.account?.name)
    }
    expect(names).toEqual(['same', 'same-2', 'same-3'])
    const { accounts } = await catalog.accounts.getProfile(
      {},
      await withClaims('nn', { preferred_username: undefined }),
    )
    expect(accounts[0]?.account?.name).toMatch(/^user-[0-9a-f]{8}$/)
  })

  test('creates an account for each of many concurrent users with the same name', async () => {
    const calls = Array.from({ length: 20 }, async (_, index) =>
      catalog.accounts.getProfile(
        {},
        await withClaims(`rush-${index}`, { preferred_username: 'rush' }),
      ),
    )
    const names = (await Promise.all(calls)).map(({ accounts }) => accounts[0]?.account?.name)
    expect(new Set(names).size).toBe(20)
  })
})

test('each call updates the claims; missing ones stay', async () => {
  await catalog.accounts.getProfile(
    {},
    await withClaims('moving', {
      email: 'old@example.com',
      email_verified: true,
      given_name: 'Mo',
    }),
  )
  await catalog.accounts.getProfile(
    {},
    await withClaims('moving', { email: 'new@example.com', email_verified: true }),
  )
  const { user } = await catalog.accounts.getProfile({}, await withClaims('moving', {}))
  expect(user).toMatchObject({ email: 'new@example.com', firstName: 'Mo' })
  expect(user?.lastName).toBeUndefined()
})

test('tokens with different claims do not replace those of each other', async () => {
  const now = Math.floor(Date.now() / 1000)
  const older = await withClaims('two-names', { given_name: 'Rob', iat: now - 60 })
  const newer = await withClaims('two-names', { given_name: 'Robert', iat: now - 30 })
  const nameOf = async (options: typeof older) =>
    (await catalog.accounts.getProfile({}, options)).user?.firstName
  const stored = async () =>
    await catalog.db
      .selectFrom('app_user')
      .select(['first_name', sql<string>`xmin`.as('written_by')])
      .where('subject', '=', 'two-names')
      .executeTakeFirst()
  expect([await nameOf(older), await nameOf(newer)]).toEqual(['Rob', 'Robert'])
  const before = await stored()
  expect(before).toMatchObject({ first_name: 'Robert' })
  for (let round = 0; round < 3; round += 1)
    expect([await nameOf(older), await nameOf(newer)]).toEqual(['Rob', 'Robert'])
  expect(await stored()).toEqual(before)
  // A newer token is that of the person's current name.
  await nameOf(await withClaims('two-names', { given_name: 'Bob', iat: now }))
  expect(await stored()).toMatchObject({ first_name: 'Bob' })
})

test('shows all accounts with their agents, sorted', async () => {
  const { account, options } = await catalog.signIn('lister')
  await catalog.accounts.createAccount({ name: 'a-team' }, options)
  for (const [name, buildId] of [
    ['b', '1'],
    ['a', '1'],
    ['a', '2'],
  ] as const) {
    await catalog.agents.registerBuild(
      { account, name, buildId, registry: `oci://r.example/${buildId}`, specContent: specOf(name) },
      options,
    )
  }
  await catalog.agents.publishBuild({ account, name: 'a', buildId: '1', version: '1.0.0' }, options)
  const { accounts } = await catalog.accounts.getProfile({}, options)
  expect(accounts).toMatchObject([
    { account: { name: 'a-team', type: AccountType.TEAM }, role: Role.OWNER, agents: [] },
    {
      account: { name: account },
      agents: [
        { name: 'a', registry: 'oci://r.example/2', buildCount: 2, publishedVersionCount: 1 },
        { name: 'b', registry: 'oci://r.example/1', buildCount: 1, publishedVersionCount: 0 },
      ],
    },
  ])
})

test('a profile has a limited number of agents, for any number of accounts', async () => {
  const { userId, account, options } = await catalog.signIn('everywhere')
  await catalog.accounts.createAccount({ name: 'everywhere-team' }, options)
  for (const owner of [account, 'everywhere-team']) {
    for (const name of ['a', 'b', 'c', 'd']) {
      const build = { buildId: 'b1', registry: 'oci://r.example/x', specContent: specOf(name) }
      await catalog.agents.registerBuild({ account: owner, name, ...build }, options)
    }
  }
  const shown = async (limits: Partial<ProfileBounds>) => {
    const bounds = { maxAccounts: 9, maxAgents: 3, maxAgentsInAll: 100, ...limits }
    const rows = await listProfileRows(catalog.db, { userId, ...bounds })
    return rows.map((row) => `${row.account_name}/${row.agent_name}`)
  }
  expect(await shown({})).toHaveLength(6)
  expect(await shown({ maxAgentsInAll: 4 })).toEqual([
    'everywhere/a',
    'everywhere/b',
    'everywhere/c',
    'everywhere-team/a',
  ])
  expect(await shown({ maxAgentsInAll: 1 })).toEqual(['everywhere/a', 'everywhere-team/null'])
  expect(await shown({ maxAccounts: 1 })).toEqual(['everywhere/a', 'everywhere/b', 'everywhere/c'])
})

test('accounts without agents take nothing from those with agents', async () => {
  const { userId, options } = await catalog.signIn('mostly-empty')
  for (const name of ['an-empty-team', 'another-empty-team', 'the-used-team'])
    await catalog.accounts.createAccount({ name }, options)
  const build = { buildId: 'b1', registry: 'oci://r.example/x', specContent: specOf('used') }
  await catalog.agents.registerBuild({ account: 'the-used-team', name: 'used', ...build }, options)
  const bounds = { maxAccounts: 9, maxAgents: 3, maxAgentsInAll: 3 }
  const rows = await listProfileRows(catalog.db, { userId, ...bounds })
  expect(rows.map(({ agent_name: agent }) => agent)).toEqual([null, null, null, 'used'])
})

test('a user is identified by the subject of a token, which is required', async () => {
  const one = await catalog.signIn('twin-1')
  const two = await catalog.signIn('twin-2')
  expect(one.userId).not.toBe(two.userId)
  expect(await failureOf(catalog.accounts.getProfile({}))).toBe('token_required')
  expect(await failureOf(catalog.accounts.getProfile({}, await catalog.asService('gateway')))).toBe(
    'wrong_caller',
  )
})
