import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, outcomeOf, specOf } from './support/catalog.ts'

const { catalog, owner, stranger } = await catalogWithBuilds()

async function create(name: string) {
  await catalog.accounts.createAccount({ name }, owner.options)
  return name
}

async function remove(account: string, { dryRun = false, subject = 'owner' } = {}) {
  const userToken = await catalog.issuer.userToken(subject)
  const request = { account, dryRun, userToken }
  return await catalog.accounts.deleteAccount(request, await catalog.asService('deployer'))
}

async function register(account: string, name: string, buildId = 'b1') {
  const registry = 'r.example'
  const build = { account, name, buildId, registry, specContent: specOf(name) }
  return await catalog.agents.registerBuild(build, owner.options)
}

test('deletes a team with its agents and members, and holds its names', async () => {
  const account = await create('doomed')
  await register(account, 'a')
  await register(account, 'a', 'b2')
  await register(account, 'b')
  const { userId } = stranger
  await catalog.accounts.putMember({ account, userId, role: Role.ADMIN }, owner.options)
  const deleted = { agents: ['a', 'b'], agentCount: 2, buildCount: 3, memberCount: 2 }
  expect(await remove(account, { dryRun: true })).toMatchObject({ deleted })
  expect((await catalog.agents.listAccountAgents({ account }, owner.options)).agents).toHaveLength(
    2,
  )

  expect(await remove(account)).toMatchObject({ deleted })
  expect(await failureOf(remove(account))).toBe('account_not_found')
  expect(await failureOf(catalog.agents.getAgent({ account, name: 'a' }, owner.options))).toBe(
    'account_not_found',
  )
  for (const person of [owner, stranger]) {
    const { accounts } = await catalog.accounts.getProfile({}, person.options)
    expect(accounts.map((each) => each.account?.name)).toEqual([person.account])
  }
  for (const person of [owner, stranger]) {
    const taken = catalog.accounts.createAccount({ name: account }, person.options)
    expect(await failureOf(taken)).toBe('account_name_taken')
  }
  await catalog.db
    .updateTable('account_name')
    .set({ held_until: new Date(0) })
    .where('name', '=', account)
    .execute()
  await catalog.accounts.createAccount({ name: account }, stranger.options)
  const { agents } = await catalog.agents.listAccountAgents({ account }, stranger.options)
  expect(agents).toEqual([])
})

test('holds the names that the account had before', async () => {
  const account = await create('first-name')
  await catalog.accounts.renameAccount({ account, newName: 'second-name' }, owner.options)
  await remove('second-name')
  for (const name of ['first-name', 'second-name']) {
    const taken = catalog.accounts.createAccount({ name }, owner.options)
    expect(await failureOf(taken)).toBe('account_name_taken')
  }
})

test('only the last owner of a team without published versions may delete it', async () => {
  expect(await failureOf(remove(owner.account))).toBe('personal_account')
  const account = await create('guarded')
  const put = (role: Role) =>
    catalog.accounts.putMember({ account, userId: stranger.userId, role }, owner.options)
  expect(await failureOf(remove(account, { subject: 'stranger' }))).toBe('permission_denied')
  await put(Role.ADMIN)
  expect(await failureOf(remove(account, { subject: 'stranger' }))).toBe('permission_denied')
  await put(Role.OWNER)
  expect(await failureOf(remove(account))).toBe('other_owners')
  await put(Role.MEMBER)

  await register(account, 'public')
  const version = { account, name: 'public', buildId: 'b1', version: '1.0.0' }
  await catalog.agents.publishBuild(version, owner.options)
  await catalog.agents.yankVersion(version, owner.options)
  expect(await failureOf(remove(account, { dryRun: true }))).toBe('account_published')
  expect(await failureOf(remove(account))).toBe('account_published')
})

test('a race with other changes deletes everything or nothing', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account = await create(`race-${round}`)
    await register(account, 'a')
    const { userId } = stranger
    const version = { account, name: 'a', buildId: 'b1', version: '1.0.0' }
    const outcomes = await Promise.all([
      outcomeOf(remove(account)),
      outcomeOf(remove(account)),
      outcomeOf(register(account, 'b')),
      outcomeOf(register(account, 'a', 'b2')),
      outcomeOf(catalog.agents.publishBuild(version, owner.options)),
      outcomeOf(catalog.accounts.putMember({ account, userId, role: Role.MEMBER }, owner.options)),
      outcomeOf(
        catalog.accounts.renameAccount({ account, newName: `${account}-now` }, owner.options),
      ),
    ])
    const known = ['ok', 'account_not_found', 'agent_not_found', 'account_published']
    for (const outcome of outcomes) expect(known).toContain(outcome)
    const [first, second, , , published] = outcomes
    // After a rename, the old name is unknown to both deletions.
    const deletions = [first, second].filter((outcome) => outcome === 'ok')
    const isLeft = published === 'ok' || outcomes.at(-1) === 'ok'
    expect(deletions).toHaveLength(isLeft ? 0 : 1)
  }
})

test('holds at most ten names on behalf of a user', async () => {
  const outcomes: string[] = []
  while (outcomes.length < 11 && !outcomes.includes('too_many_held_names')) {
    const account = await create(`held-${outcomes.length}`)
    const dry = await outcomeOf(remove(account, { dryRun: true }))
    expect(await outcomeOf(remove(account))).toBe(dry)
    outcomes.push(dry)
  }
  expect(outcomes.at(-1)).toBe('too_many_held_names')
})
