import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, CREDENTIALS } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

function remove(name: string, dryRun = false, person = owner) {
  return deployer.deployments.deleteAgent({ account: owner.account, name, dryRun }, person.options)
}

function removeAccount(account: string, dryRun = false, person = owner) {
  return deployer.deployments.deleteAccount({ account, dryRun }, person.options)
}

/** Waits until the deployer has dropped what it stored about an account's undeployed agents. */
async function waitForEmptyHistory(accountId: string, agent: string) {
  const isEmpty = async () => {
    const rows = await deployer.db
      .selectFrom('deployment')
      .leftJoin('revision', 'revision.deployment_id', 'deployment.id')
      .select(['deployment.id', 'revision.revision'])
      .where('account_id', '=', accountId)
      .where('agent', '=', agent)
      .execute()
    return rows.length === 0
  }
  await waitFor(isEmpty, { what: 'the history to be deleted', timeoutMs: 120_000 })
}

test('deletes an agent once it is undeployed; the next one starts at revision 1', async () => {
  const agent = agentOf(deployer, owner, 'deleted')
  await agent.register()
  await agent.register('b2')
  await agent.deploy()
  const first = await deployer.db
    .selectFrom('deployment')
    .select(['id', 'agent_id'])
    .where('agent', '=', 'deleted')
    .executeTakeFirstOrThrow()
  expect(await outcomeOf(remove('deleted', true))).toBe('still_deployed')
  expect(await outcomeOf(remove('deleted'))).toBe('still_deployed')
  await agent.deploy({ API_TOKEN: 'second-secret-value' })
  await agent.undeploy()

  const { deleted } = await remove('deleted', true)
  expect(deleted).toMatchObject({ buildIds: ['b2', 'b1'], buildCount: 2 })
  expect(await outcomeOf(remove('deleted'))).toBe('won')
  expect(await outcomeOf(remove('deleted'))).toBe('agent_not_found')
  expect(await outcomeOf(agent.deploy())).toBe('no_builds')
  await waitForEmptyHistory(owner.accountId, 'deleted')

  await agent.register()
  expect((await agent.deploy()).revision).toBe(1)
  const second = await deployer.db
    .selectFrom('deployment')
    .select(['id', 'agent_id'])
    .where('agent', '=', 'deleted')
    .executeTakeFirstOrThrow()
  expect(second.agent_id).not.toBe(first.agent_id)
  expect(second.id).not.toBe(first.id)
})

test('a deploy that runs during the deletion creates no deployment', async () => {
  const agent = agentOf(deployer, owner, 'overtaken')
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const metadata = { name: 'keeper', finalizers: ['slipway.test/keep'] }
  await deployer.cluster.send({ method: 'POST', path, body: { metadata } })
  await agent.undeploy()

  // It has found its build, and waits for the former namespace.
  const overtaken = outcomeOf(agent.deploy())
  const bystander = agentOf(deployer, owner, 'bystander')
  await bystander.register()
  expect(await outcomeOf(bystander.deploy())).toBe('won')
  expect(await outcomeOf(remove('overtaken'))).toBe('won')
  await deployer.cluster.send({
    method: 'PATCH',
    path: `${path}/keeper`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { finalizers: null } },
  })
  expect(await overtaken).toBe('being_deleted')
  expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
  expect(await outcomeOf(bystander.undeploy())).toBe('won')
})

test('only admins and owners may delete agents, also of other accounts', async () => {
  const agent = agentOf(deployer, owner, 'guarded')
  await agent.register()
  const stranger = await deployer.signIn('stranger')
  const { account } = owner
  expect(await outcomeOf(remove('guarded', false, stranger))).toBe('permission_denied')
  expect(await outcomeOf(remove('no-such', false, stranger))).toBe('permission_denied')
  expect(await outcomeOf(remove('no-such'))).toBe('agent_not_found')
  const put = (role: Role) =>
    deployer.accounts.putMember({ account, userId: stranger.userId, role }, owner.options)
  await put(Role.MEMBER)
  expect(await outcomeOf(remove('guarded', false, stranger))).toBe('permission_denied')
  await put(Role.ADMIN)
  expect(await outcomeOf(remove('guarded', false, stranger))).toBe('won')
})

test('deletes an account once nothing is deployed in it', async () => {
  const account = 'doomed-team'
  const { account: team } = await deployer.accounts.createAccount({ name: account }, owner.options)
  const shared = agentOf(deployer, owner, 'shared')
  await shared.register()
  await shared.publish('b1', '1.0.0')
  const agents = agentOf(deployer, { ...owner, account }, 'own')
  await agents.register()
  await agents.deploy()
  const foreign = agentOf(deployer, { ...owner, account }, 'shared')
  await foreign.deploy(CREDENTIALS, { sourceAccount: owner.account })

  const refusal = removeAccount(account).catch((error: unknown) => String(error))
  expect(await refusal).toContain('live deployments: own, shared; undeploy them first')
  await agents.undeploy()
  expect(await outcomeOf(removeAccount(account, true))).toBe('still_deployed')
  await foreign.undeploy()
  const expected = { agents: ['own'], agentCount: 1, buildCount: 1, memberCount: 1 }
  expect((await removeAccount(account, true)).deleted).toMatchObject(expected)
  expect((await removeAccount(account)).deleted).toMatchObject(expected)
  expect(await outcomeOf(removeAccount(account))).toBe('account_not_found')
  expect(await outcomeOf(removeAccount(owner.account))).toBe('personal_account')
  await waitForEmptyHistory(team?.id ?? '', 'own')
  await waitForEmptyHistory(team?.id ?? '', 'shared')
})

test('a race with publications keeps or deletes an agent; a kept one can be deployed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const agent = agentOf(deployer, owner, `race-${round}`)
    await agent.register()
    const [first, second, published, deployed] = await Promise.all([
      outcomeOf(remove(agent.name)),
      outcomeOf(remove(agent.name)),
      outcomeOf(agent.publish('b1', '1.0.0')),
      outcomeOf(agent.deploy()),
    ])
    const isDeleted = [first, second].includes('won')
    expect(published).toBe(isDeleted ? 'agent_not_found' : 'won')
    // A deletion that the catalog refuses has held the deployments until then.
    expect([isDeleted ? 'no_builds' : 'won', 'being_deleted']).toContain(deployed)
    expect(await outcomeOf(agent.deploy())).toBe(isDeleted ? 'no_builds' : 'won')
    expect(await outcomeOf(agent.undeploy())).toBe(isDeleted ? 'deployment_not_found' : 'won')
  }
})
