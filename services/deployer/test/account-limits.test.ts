import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { LimitFiles, usageOf } from './support/account-limits.ts'
import { agentOf, failure, statusesOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { allowNo } from './support/quotas.ts'

const GIB = 1024 ** 3

let files: LimitFiles
let deployer: TestDeployer
beforeAll(async () => {
  files = new LimitFiles()
  deployer = await startTestDeployer(
    await files.write({
      deployments: 3,
      pods: 6,
      cpu: 6,
      storage_bytes: '20Gi',
      config_bytes: '20Ki',
      gpus: 0,
    }),
  )
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})

const specOf = (name: string, more = '') =>
  `spec: astro/v1\nname: ${name}\nagent: {image: registry.example/a:1}\n${more}`
const toolOf = (name: string) => `  ${name}: {container: {image: registry.example/t:1}}\n`
const toolsOf = (...names: string[]) => `tools:\n${names.map(toolOf).join('')}`
const replicas = (agent: number) => ({ overridesJson: JSON.stringify({ 'agent.replicas': agent }) })

async function registered(owner: Person, name: string, more = '', on = deployer) {
  const agent = agentOf(on, owner, name)
  await agent.register('b1', specOf(name, more))
  return agent
}

describe('an account at its limit', () => {
  test('deploys no more, and others do', async () => {
    const attacker = await deployer.signIn('attacker')
    const bystander = await deployer.signIn('bystander')
    const first = await registered(attacker, 'first')
    expect(await first.deploy({}, replicas(6))).toMatchObject({ status: DeployStatus.SUCCESS })
    expect(await usageOf(deployer, attacker)).toMatchObject({
      deployments: 1,
      pods: 6,
      cpu: 6000,
      memory_bytes: 6 * GIB,
    })

    const second = await registered(attacker, 'second')
    const message =
      'limit pods (replicas of all components of all live deployments, at least one for each ' +
      'component): the account uses 6 of 6, ' +
      'and this needs 1 more; reduce replicas or undeploy agents, ' +
      'or ask the operator for a higher limit'
    const attacks = Array.from({ length: 5 }, async () => [
      await failure(second.deploy({})),
      await failure(second.validate({})),
    ])
    const served = await registered(bystander, 'served')
    expect(await served.deploy({}, replicas(6))).toMatchObject({ status: DeployStatus.SUCCESS })
    for (const error of (await Promise.all(attacks)).flat()) {
      expect(error).toMatchObject({
        reason: 'quota_exceeded',
        message,
        metadata: { limit: 'pods', used: '6', bound: '6' },
      })
    }
    expect(await outcomeOf(second.get())).toBe('deployment_not_found')

    await first.undeploy()
    expect(await usageOf(deployer, attacker)).toMatchObject({ deployments: 0, pods: 0, cpu: 0 })
    expect(await second.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS })
  })

  test('can’t exceed it with two deploys at once', async () => {
    const owner = await deployer.signIn('racer')
    const other = deployer.clientsOf(await deployer.startReplica())
    await (await registered(owner, 'present')).deploy({}, replicas(2))
    for (const round of [1, 2, 3]) {
      const [a, b] = [
        await registered(owner, `a${round}`),
        await registered(owner, `b${round}`, '', { ...deployer, ...other }),
      ]
      // One of them fits, but not both.
      const outcomes = await Promise.all(
        [a, b].map((agent) => outcomeOf(agent.deploy({}, replicas(3)))),
      )
      expect(outcomes.toSorted()).toEqual(['quota_exceeded', 'won'])
      expect(await usageOf(deployer, owner)).toMatchObject({ deployments: 2, pods: 5 })
      await Promise.allSettled([a.undeploy(), b.undeploy()])
    }
  })

  test.each([
    ['cpu', { 'agent.resources.limits.cpu': '5001m' }, '6.001 more'],
    ['cpu', { 'agent.resources.limits.cpu': '9e30' }, '9007199254740.99 more'],
    ['gpus', { 'tools.t.gpu': { runtime: 'cuda', count: 1 } }, '0 of 0, and this needs 1 more'],
    [
      'storage_bytes',
      { 'tools.t.persistent': true, 'tools.t.storage.size': '21Gi' },
      `${21 * GIB} more`,
    ],
    [
      'config_bytes',
      // Each of the two is stored.
      { 'agent.environment.A': 'x'.repeat(15_000), 'tools.t.environment.A': 'x'.repeat(15_000) },
      'of 20480 bytes, and this needs 30',
    ],
  ])('of %s can’t deploy %o', async (limit, overrides, text) => {
    const owner = await deployer.signIn('greedy')
    const agent = await registered(owner, 'greedy', toolsOf('t'))
    const error = await failure(agent.deploy({}, { overridesJson: JSON.stringify(overrides) }))
    expect(error).toMatchObject({ reason: 'quota_exceeded', metadata: { limit } })
    expect(error.message).toContain(text)
  })
})

test('credentials count, also those that a deploy keeps, until the undeploy', async () => {
  const owner = await deployer.signIn('credentials')
  const needsKey = 'integrations: {api: {credentials: [{suffix: KEY}]}}\n'
  const keyOf = (length: number) => ({ API_KEY: 'k'.repeat(length) })
  const first = await registered(owner, 'first-key', needsKey)
  const second = await registered(owner, 'second-key', needsKey)
  await first.deploy(keyOf(15_000))
  const { config_bytes: used = 0 } = await usageOf(deployer, owner)
  expect(used).toBeGreaterThan(15_000)
  for (const call of [second.validate, second.deploy])
    expect(await failure(call(keyOf(9_000)))).toMatchObject({ metadata: { limit: 'config_bytes' } })
  expect(await second.deploy(keyOf(10))).toMatchObject({ status: DeployStatus.SUCCESS })
  await first.deploy({}, { overridesJson: '{"agent.environment.B": "b"}' })
  expect((await usageOf(deployer, owner))['config_bytes']).toBeGreaterThan(used)
  await first.undeploy()
  expect((await usageOf(deployer, owner))['config_bytes']).toBeLessThan(5_000)
})

test('what exceeds a lowered limit keeps running, and can shrink but not grow', async () => {
  const owner = await deployer.signIn('lowered')
  const agent = await registered(owner, 'lowered')
  await agent.deploy({}, replicas(4))
  const later = await deployer.startReplica({}, await files.write({ pods: 2, cpu: 2 }))
  const lowered = agentOf({ ...deployer, ...deployer.clientsOf(later) }, owner, 'lowered')
  const unchanged = await lowered.deploy({}, replicas(4))
  // Only the quota of the namespace follows the limits.
  const others = unchanged.resources.filter(({ kind }) => kind !== 'ResourceQuota')
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([ResourceStatus.UNCHANGED]))
  const [quota] = await agent.list('ResourceQuota', unchanged.k8sNamespace)
  expect(quota?.spec).toMatchObject({ hard: { pods: '12', 'limits.cpu': '12' } })
  expect(statusesOf(await lowered.deploy({}))).toEqual(new Set([ResourceStatus.UNCHANGED]))
  expect(await outcomeOf(lowered.deploy({}, replicas(5)))).toBe('quota_exceeded')
  expect(await lowered.deploy({}, replicas(3))).toMatchObject({ revision: 2 })
  expect(await outcomeOf(lowered.rollback({ revision: 1 }))).toBe('quota_exceeded')
  expect(await lowered.deploy({}, replicas(1))).toMatchObject({ revision: 3 })
  expect(await outcomeOf(lowered.deploy({}, replicas(3)))).toBe('quota_exceeded')
  expect(await agent.rollback({ revision: 1 })).toMatchObject({ revision: 4 })
})

test('components that an incomplete deploy left behind count until one is complete', async () => {
  const owner = await deployer.signIn('partial')
  const agent = await registered(owner, 'partial', toolsOf('a', 'b'))
  const { k8sNamespace: namespace } = await agent.deploy({})
  const allow = await allowNo(deployer.cluster, 'services', namespace)
  await agent.register('b2', specOf('partial', toolsOf('c', 'd')))
  expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.PARTIAL })
  expect(await usageOf(deployer, owner)).toMatchObject({ pods: 5 })
  await agent.register('b3', specOf('partial', toolsOf('e', 'f')))
  expect(await outcomeOf(agent.deploy({}))).toBe('quota_exceeded')
  await allow()
  await agent.register('b4', specOf('partial', toolsOf('c', 'b')))
  expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS })
  expect(await usageOf(deployer, owner)).toMatchObject({ deployments: 1, pods: 3 })
})

test('volumes of removed components count until the agent is undeployed', async () => {
  const owner = await deployer.signIn('volumes')
  const stores = (name: string) => `knowledge: {${name}: {provider: qdrant, persistent: true}}`
  const agent = await registered(owner, 'volumes', stores('one'))
  const { k8sNamespace: namespace } = await agent.deploy({})
  await expect
    .poll(async () => (await agent.list('PersistentVolumeClaim', namespace)).length)
    .toBe(1)
  await agent.register('b2', specOf('volumes', stores('two')))
  await agent.deploy({})
  expect(await usageOf(deployer, owner)).toMatchObject({ pods: 2, storage_bytes: 20 * GIB })
  await agent.register('b3', specOf('volumes', stores('three')))
  expect(await failure(agent.deploy({}))).toMatchObject({ metadata: { limit: 'storage_bytes' } })
})

test('deployments of an older release count as well', async () => {
  const owner = await deployer.signIn('older')
  const agent = await registered(owner, 'older')
  await agent.deploy({}, replicas(4))
  const set = (footprint: string | null) =>
    deployer.db
      .updateTable('deployment')
      .set({ footprint })
      .where('account_id', '=', owner.accountId)
      .execute()
  const total = { pods: 1, cpu: 1, memory_bytes: 1, storage_bytes: 1, gpus: 1 }
  const ofEarlier = { revision: 0, isSettled: true, components: {}, total }
  for (const stored of [null, JSON.stringify(ofEarlier)]) {
    await set(stored)
    expect(await usageOf(deployer, owner)).toMatchObject({ pods: 4, cpu: 4000 })
  }
})
