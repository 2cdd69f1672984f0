import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, outcomeOf } from './support/catalog.ts'

const { catalog, owner, stranger, calls } = await catalogWithBuilds()

async function remove(name: string, { dryRun = false, subject = 'owner' } = {}) {
  const userToken = await catalog.issuer.userToken(subject)
  const request = { account: owner.account, name, dryRun, userToken }
  return await catalog.agents.deleteAgent(request, await catalog.asService('deployer'))
}

test('deletes an agent with all its builds, and only this one', async () => {
  await calls.register('gone', { buildId: 'b1' })
  await calls.register('gone', { buildId: 'b2' })
  await calls.register('neighbour')
  const deleted = { buildIds: ['b2', 'b1'], buildCount: 2 }
  expect(await remove('gone', { dryRun: true })).toMatchObject({ deleted })
  expect((await calls.detail('gone', owner)).builds).toEqual(['b2', 'b1'])

  expect(await remove('gone')).toMatchObject({ accountId: owner.accountId, deleted })
  expect(await failureOf(remove('gone'))).toBe('agent_not_found')
  expect(await failureOf(calls.detail('gone', owner))).toBe('agent_not_found')
  expect(await failureOf(calls.resolve('gone'))).toBe('no_builds')
  const { accounts } = await catalog.accounts.getProfile({}, owner.options)
  expect(accounts.flatMap(({ agents }) => agents).map(({ name }) => name)).toEqual(['neighbour'])
})

test('an agent that is registered again has another id', async () => {
  const service = await catalog.asService('observability')
  const access = async (subject = 'owner') =>
    await catalog.accounts.checkAccess(
      { account: owner.account, agent: 'again', realm: 'test', subject },
      service,
    )
  await calls.register('again')
  const before = await access()
  expect(before.agentId).toBe((await calls.resolve('again')).agentId)
  expect(before.agentCreateTime).toBeDefined()
  expect((await access('stranger')).agentId).toBe('')

  await remove('again')
  expect((await access()).agentId).toBe('')
  await calls.register('again')
  expect((await access()).agentId).not.toBe(before.agentId)
  expect((await calls.detail('again', owner)).builds).toEqual(['b1'])
})

test('keeps an agent with published versions, even yanked ones', async () => {
  await calls.register('public')
  await calls.publish('public', 'b1', '1.0.0')
  await calls.yank('public', '1.0.0')
  expect(await failureOf(remove('public', { dryRun: true }))).toBe('agent_published')
  expect(await failureOf(remove('public'))).toBe('agent_published')
})

test('needs the own token of the user, besides that of the deployer', async () => {
  await calls.register('tokens')
  const removeWith = async (userToken: string) => {
    const request = { account: owner.account, name: 'tokens', userToken }
    return await catalog.agents.deleteAgent(request, await catalog.asService('deployer'))
  }
  const { issuer } = catalog
  expect(await failureOf(removeWith(''))).toBe('invalid_token')
  expect(await failureOf(removeWith(await issuer.serviceToken('deployer')))).toBe('user_required')
  const forged = await issuer.userToken('owner', { foreignKey: true })
  expect(await failureOf(removeWith(forged))).toBe('invalid_token')
  const expired = await issuer.userToken('owner', { claims: { exp: 1 } })
  expect(await failureOf(removeWith(expired))).toBe('token_expired')
  expect((await calls.detail('tokens', owner)).builds).toEqual(['b1'])
})

test('checks the role of the user on whose behalf it is called', async () => {
  await calls.register('guarded')
  expect(await failureOf(remove('guarded', { subject: 'stranger' }))).toBe('permission_denied')
  expect(await failureOf(remove('guarded', { subject: 'unknown' }))).toBe('permission_denied')
  expect(await failureOf(remove('Bad', { subject: 'stranger' }))).toBe('invalid_argument')
  const userToken = await catalog.issuer.userToken('owner')
  const request = { account: 'no-such', name: 'guarded', userToken }
  const elsewhere = catalog.agents.deleteAgent(request, await catalog.asService('deployer'))
  expect(await failureOf(elsewhere)).toBe('account_not_found')
  expect(stranger.account).not.toBe(owner.account)
})

test('a race with registrations and publications never loses a published version', async () => {
  for (let round = 0; round < 10; round += 1) {
    const name = `race-${round}`
    await calls.register(name)
    const [deleted, published, registered] = await Promise.all([
      outcomeOf(remove(name)),
      outcomeOf(calls.publish(name, 'b1', '1.0.0')),
      outcomeOf(calls.register(name, { buildId: 'b2' })),
    ])
    expect(registered).toBe('ok')
    // If the registration came first, the agent is gone.
    const { builds } = await calls.detail(name, owner).catch(() => ({ builds: [] as string[] }))
    const isKept = builds?.includes('b1') === true
    expect([isKept, deleted === 'ok', published === 'ok']).toEqual([isKept, !isKept, isKept])
  }
})
