import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { readRemoteError } from '@slipway/shared/rpc'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'

import { failureOf, outcomeOf, specOf, startTestCatalog } from './support/catalog.ts'

const catalog = await startTestCatalog()
afterAll(() => catalog[Symbol.asyncDispose]())
const { accounts } = catalog

/** Signs in a user whose token has a name and an e-mail address. */
async function person(subject: string) {
  const claims = {
    email: `${subject}@example.com`,
    email_verified: true,
    given_name: 'Given',
    family_name: 'Family',
  }
  const token = await catalog.issuer.userToken(subject, { claims })
  const options = { headers: { authorization: `Bearer ${token}` } }
  const { user } = await accounts.getProfile({}, options)
  const self = { userId: user?.id ?? '', options }
  return {
    ...self,
    create: (name: string) => accounts.createAccount({ name }, options),
    rename: (account: string, newName: string) =>
      accounts.renameAccount({ account, newName }, options),
    put: async (account: string, userId: string, role: Role) =>
      (await accounts.putMember({ account, userId, role }, options)).member,
    /** How a member appears to this person. */
    seen: async (account: string, userId: string) =>
      (await accounts.listMembers({ account }, options)).members.find(
        (member) => member.user?.id === userId,
      ),
    profile: () => accounts.getProfile({}, options),
  }
}

/** Gives a user many team accounts with the same members, without a call for each. */
async function createTeams(creatorId: string, count: number, memberIds: readonly string[]) {
  await sql`
    WITH team AS (
      SELECT gen_random_uuid() AS id, 'spam-' || i AS name FROM generate_series(1, ${count}) i
    ), named AS (
      INSERT INTO account_name (name, account_id) SELECT name, id FROM team
    ), made AS (
      INSERT INTO account (id, name, type, created_by)
      SELECT id, name, 'team', ${creatorId}::uuid FROM team
    ), filled AS (
      INSERT INTO agent (id, account_id, name)
      SELECT gen_random_uuid(), id, 'agent-' || i FROM team, generate_series(1, 20) i
    )
    INSERT INTO member (account_id, user_id, role)
    SELECT team.id, user_id, 'owner' FROM team, unnest(${memberIds}::uuid[]) user_id`.execute(
    catalog.db,
  )
}

test('accounts of strangers displace none that a user created or was in before', async () => {
  const [mallory, friend, bob] = [
    await person('mallory'),
    await person('friend'),
    await person('bob'),
  ]
  await friend.create('shared')
  await friend.put('shared', bob.userId, Role.ADMIN)
  for (const name of ['one', 'two']) {
    const build = { buildId: 'b1', registry: 'r.example', specContent: specOf(name) }
    await catalog.agents.registerBuild({ account: 'bob', name, ...build }, bob.options)
  }
  const before = await bob.profile()

  await createTeams(mallory.userId, 1200, [mallory.userId, bob.userId])
  const after = await bob.profile()
  expect(after.accounts).toHaveLength(1000)
  expect(after.hasMoreAccounts).toBe(true)
  const known = new Set(before.accounts.map(({ account }) => account?.name))
  expect(after.accounts.filter(({ account }) => known.has(account?.name))).toEqual(before.accounts)

  expect(await outcomeOf(bob.create('bobs-team'))).toBe('ok')
  const own = (await bob.profile()).accounts.map(({ account }) => account?.name)
  expect(own).toEqual(expect.arrayContaining(['bob', 'bobs-team', 'shared']))
  expect(await outcomeOf(friend.put('shared', bob.userId, Role.OWNER))).toBe('ok')
})

test('a user creates at most 10 accounts, even concurrently', async () => {
  const [maker, bystander] = [await person('maker'), await person('bystander')]
  await sql`
    WITH team AS (SELECT gen_random_uuid() AS id, 'made-' || i AS name
      FROM generate_series(1, 6) i
    ), named AS (INSERT INTO account_name (name, account_id) SELECT name, id FROM team)
    INSERT INTO account (id, name, type, created_by)
    SELECT id, name, 'team', ${maker.userId}::uuid FROM team`.execute(catalog.db)
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, index) => outcomeOf(maker.create(`last-${index}`))),
  )
  expect(outcomes.toSorted()).toEqual([
    'ok',
    'ok',
    'ok',
    'too_many_accounts',
    'too_many_accounts',
    'too_many_accounts',
  ])
  expect(await outcomeOf(bystander.create('bystanders'))).toBe('ok')
})

test('adding a user reveals nothing about them until they confirm', async () => {
  const [eve, victim] = [await person('eve'), await person('victim')]
  await eve.create('trap')
  const stranger = { user: { id: victim.userId }, role: Role.MEMBER, confirmed: false }
  const known = {
    user: { email: 'victim@example.com', firstName: 'Given', lastName: 'Family' },
    confirmed: true,
  }
  for (const answer of [
    await eve.put('trap', victim.userId, Role.MEMBER),
    await eve.put('trap', victim.userId, Role.MEMBER),
    await eve.seen('trap', victim.userId),
  ]) {
    expect(answer).toMatchObject(stranger)
    expect(JSON.stringify(answer)).not.toMatch(/victim@|Given|Family/)
  }
  // Members see themselves, and whom they joined.
  expect(await victim.seen('trap', victim.userId)).toMatchObject({
    ...known,
    confirmed: false,
  })
  expect(await victim.seen('trap', eve.userId)).toMatchObject({
    user: { email: 'eve@example.com' },
    confirmed: true,
  })
  const { accounts: mine } = await victim.profile()
  expect(mine.map(({ account, confirmed }) => [account?.name, confirmed])).toEqual([
    ['trap', false],
    ['victim', true],
  ])

  expect(await failureOf(victim.put('trap', victim.userId, Role.ADMIN))).toBe('permission_denied')
  expect(await victim.put('trap', victim.userId, Role.MEMBER)).toMatchObject(known)
  expect(await eve.seen('trap', victim.userId)).toMatchObject(known)
  expect(await eve.put('trap', victim.userId, Role.ADMIN)).toMatchObject(known)

  await accounts.deleteMember({ account: 'trap', userId: victim.userId }, eve.options)
  expect(await eve.put('trap', victim.userId, Role.MEMBER)).toMatchObject(stranger)
})

test('an account has at most 1000 members', async () => {
  const [host, guest] = [await person('host'), await person('guest')]
  const { account } = await host.create('party')
  await sql`
    WITH crowd AS (
      INSERT INTO app_user (id, realm, subject)
      SELECT gen_random_uuid(), 'test', 'crowd-' || i FROM generate_series(1, 999) i RETURNING id
    )
    INSERT INTO member (account_id, user_id, role)
    SELECT ${account?.id}::uuid, id, 'member' FROM crowd`.execute(catalog.db)
  const refused = await host
    .put('party', guest.userId, Role.MEMBER)
    .catch((error: unknown) => error)
  expect(readRemoteError(refused)).toMatchObject({
    reason: 'quota_exceeded',
    metadata: { limit: 'members', used: '1000', bound: '1000' },
  })
  expect(await outcomeOf(host.put('party', host.userId, Role.OWNER))).toBe('ok')
  await guest.create('quiet-party')
  expect(await outcomeOf(guest.put('quiet-party', host.userId, Role.MEMBER))).toBe('ok')
})

test('a user holds at most 10 previous names', async () => {
  const [squatter, neighbor] = [await person('squatter'), await person('neighbor')]
  await squatter.create('name-0')
  await squatter.create('other-0')
  for (let index = 0; index < 9; index++)
    await squatter.rename(`name-${index}`, `name-${index + 1}`)
  await squatter.rename('other-0', 'other-1')
  for (const [account, newName] of [
    ['name-9', 'name-10'],
    ['other-1', 'other-2'],
  ] as const) {
    const refused = await squatter.rename(account, newName).catch((error: unknown) => error)
    const { reason, message } = readRemoteError(refused)
    expect(reason).toBe('too_many_held_names')
    expect(message).toContain('10 names are already reserved')
  }
  // Going back to a previous name reserves no more names than before.
  expect(await outcomeOf(squatter.rename('name-9', 'name-8'))).toBe('ok')
  await neighbor.create('nearby')
  expect(await outcomeOf(neighbor.rename('nearby', 'name-10'))).toBe('ok')

  await sql`UPDATE account_name SET held_until = now() WHERE name = 'name-0'`.execute(catalog.db)
  expect(await outcomeOf(squatter.rename('name-8', 'name-11'))).toBe('ok')
})
