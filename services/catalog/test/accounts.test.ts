import { AccountType, Role } from '@slipway/proto/slipway/catalog/v1/account'
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
let bob: typeof ann
let eve: typeof ann
beforeAll(async () => {
  catalog = await startTestCatalog({
    MAX_ACCOUNTS_CREATED_PER_USER: '1000',
    MAX_HELD_NAMES_PER_USER: '1000',
  })
  ann = await catalog.signIn('ann')
  bob = await catalog.signIn('bob')
  eve = await catalog.signIn('eve')
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

const create = (name: string, user = ann) => catalog.accounts.createAccount({ name }, user.options)
const rename = (account: string, newName: string, user = ann) =>
  catalog.accounts.renameAccount({ account, newName }, user.options)
const access = async (account: string, subject: string) =>
  catalog.accounts.checkAccess(
    { account, realm: 'test', subject },
    await catalog.asService('deployer'),
  )

describe('CreateAccount', () => {
  test('creates a team with its first owner', async () => {
    const made = await create('first-team')
    expect(made).toMatchObject({
      account: { name: 'first-team', type: AccountType.TEAM },
      role: Role.OWNER,
    })
    expect(await access('first-team', 'ann')).toMatchObject({
      accountId: made.account?.id,
      role: Role.OWNER,
    })
  })

  test('can be the first call of a user', async () => {
    const options = await catalog.as('newcomer')
    await catalog.accounts.createAccount({ name: 'new-team' }, options)
    const { accounts } = await catalog.accounts.getProfile({}, options)
    expect(accounts.map(({ account }) => account?.name)).toEqual(['new-team', 'newcomer'])
  })

  test.each([
    '',
    'a',
    'x'.repeat(40),
    'Upper',
    '1st',
    'a--b',
    'a-',
    '-a',
    'a_b',
    'ünder',
    'admin',
    'api',
    'slipway',
    'a\0',
  ])('rejects the name %j', async (name) => {
    expect(await failureOf(create(name))).toBe('invalid_argument')
  })

  test('assigns a name to one of many concurrent callers', async () => {
    const callers = [ann, bob, eve]
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => outcomeOf(create('wanted', callers[index % 3]))),
    )
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 29 }, () => 'account_name_taken'),
      'ok',
    ])
  })
})

describe('RenameAccount', () => {
  test('replaces the name immediately, and keeps everything else', async () => {
    const { account } = await create('before')
    const build = { account: 'before', name: 'agent', buildId: 'b1' }
    await catalog.agents.registerBuild(
      { ...build, registry: 'r.example', specContent: specOf('agent') },
      ann.options,
    )
    await catalog.agents.publishBuild({ ...build, version: '1.0.0' }, ann.options)
    expect(await rename('before', 'after')).toMatchObject({
      account: { id: account?.id, name: 'after' },
    })
    expect(await access('after', 'ann')).toMatchObject({ accountId: account?.id, role: Role.OWNER })
    expect(await failureOf(access('before', 'ann'))).toBe('account_not_found')
    expect(await failureOf(catalog.agents.getAgent(build))).toBe('account_not_found')
    const { agent } = await catalog.agents.getAgent({ ...build, account: 'after' })
    expect(agent).toMatchObject({ account: 'after', name: 'agent' })
    for (const query of ['after', 'before']) {
      const { agents } = await catalog.agents.listAgents({ query })
      expect(agents.map(({ account: owner }) => owner)).toEqual(query === 'after' ? ['after'] : [])
    }
  })

  test('accepts the same name, and rejects invalid ones', async () => {
    await create('steady')
    expect(await rename('steady', 'steady')).toMatchObject({ account: { name: 'steady' } })
    for (const name of ['', 'admin', 'Upper', 'a--b', 'x'.repeat(40)]) {
      expect(await failureOf(rename('steady', name))).toBe('invalid_argument')
    }
    expect(await failureOf(rename('steady', 'bob'))).toBe('account_name_taken')
    expect(await failureOf(rename('no-such', 'other'))).toBe('account_not_found')
    expect(await failureOf(rename('steady', 'other', bob))).toBe('permission_denied')
    expect(await failureOf(rename('steady', 'admin', bob))).toBe('permission_denied')
  })

  test('reserves the old name for the account for 30 days', async () => {
    await create('held')
    await rename('held', 'held-now')
    expect(await failureOf(create('held', bob))).toBe('account_name_taken')
    expect(await failureOf(rename('bob', 'held', bob))).toBe('account_name_taken')
    await rename('held-now', 'held')
    await rename('held', 'held-now')
    const letPass = (days: number) =>
      sql`
        UPDATE account_name SET held_until = held_until - make_interval(days => ${days})
        WHERE name = 'held'`.execute(catalog.db)
    await letPass(29)
    expect(await failureOf(create('held', bob))).toBe('account_name_taken')
    await letPass(1)
    await create('held', bob)
    expect(await failureOf(rename('held-now', 'held'))).toBe('account_name_taken')
  })

  test('keeps a reserved name from new users', async () => {
    await create('popular')
    await rename('popular', 'popular-now')
    const { account } = await catalog.signIn('popular')
    expect(account).toBe('popular-2')
  })

  test('renames an account at most 20 times an hour', async () => {
    const names = ['to-and-fro', 'fro-and-to']
    await create(names[0] ?? '')
    for (let count = 0; count < 20; count += 1)
      await rename(names[count % 2] ?? '', names[(count + 1) % 2] ?? '')
    const [name = '', other = ''] = names
    expect(await failureOf(rename(name, other))).toBe('too_many_renames')
    await create('seldom-renamed')
    expect(await outcomeOf(rename('seldom-renamed', 'once-renamed'))).toBe('ok')
  })

  test('lets one of many concurrent renames have a name', async () => {
    const teams = Array.from({ length: 10 }, (_, index) => `team-${index}`)
    for (const team of teams) await create(team)
    const outcomes = await Promise.all(teams.map((team) => outcomeOf(rename(team, 'prize'))))
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => 'account_name_taken'),
      'ok',
    ])
  })

  test('lets one of many concurrent renames of an account succeed', async () => {
    await create('busy')
    const names = Array.from({ length: 10 }, (_, index) => `busy-${index}`)
    const outcomes = await Promise.all(names.map((name) => outcomeOf(rename('busy', name))))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'account_not_found']))
    expect(await access(names[outcomes.indexOf('ok')] ?? '', 'ann')).toMatchObject({
      role: Role.OWNER,
    })
  })

  test('never assigns a name to both of two accounts that swap names', async () => {
    const ring = ['ring-a', 'ring-b', 'ring-c']
    const ids = new Map<string, string>()
    for (const name of ring) ids.set(name, (await create(name)).account?.id ?? '')
    for (let round = 0; round < 10; round++) {
      await Promise.allSettled(ring.map((name, index) => rename(name, ring[(index + 1) % 3] ?? '')))
      await Promise.allSettled(ring.map((name) => rename(name, `${name}-${round}`)))
      await Promise.allSettled(ring.map((name) => rename(`${name}-${round}`, name)))
    }
    const { rows } = await sql<{ name: string; owners: number }>`
      SELECT name, count(DISTINCT account_id) AS owners FROM (
        SELECT name, account_id FROM account_name UNION SELECT name, id FROM account
      ) all_names GROUP BY name HAVING count(DISTINCT account_id) > 1`.execute(catalog.db)
    expect(rows).toEqual([])
    const present = await catalog.db
      .selectFrom('account')
      .select('id')
      .where('id', 'in', [...ids.values()])
      .execute()
    expect(present).toHaveLength(3)
  })

  test('leaves no list entry with an old name when a publish races with it', async () => {
    await create('moving')
    let name = 'moving'
    for (let round = 0; round < 5; round++) {
      const agent = `agent-${round}`
      const build = { account: name, name: agent, buildId: 'b1' }
      await catalog.agents.registerBuild(
        { ...build, registry: 'r.example', specContent: specOf(agent) },
        ann.options,
      )
      const publishing = outcomeOf(
        catalog.agents.publishBuild({ ...build, version: '1.0.0' }, ann.options),
      )
      name = `moving-${round}`
      await rename(build.account, name)
      // The publish fails if the rename came first.
      expect(['ok', 'account_not_found']).toContain(await publishing)
      await catalog.agents.publishBuild({ ...build, account: name, version: '1.0.0' }, ann.options)
      const { agents } = await catalog.agents.listAgents({ account: name })
      expect(agents).toHaveLength(round + 1)
    }
  })
})
