import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, contentOf, failure } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { allowNo } from './support/quotas.ts'
import { PLAIN_SPEC } from './support/specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const token = (number: number) => ({ API_TOKEN: `secret-value-${number}` })

async function deployFirst(name: string) {
  const agent = agentOf(deployer, owner, name)
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy(token(1))
  const tokens = async () =>
    contentOf(await agent.list('Secret', namespace)).filter((line) => line.startsWith('API_TOKEN'))
  return { agent, namespace, tokens }
}

/** Deploys until the cluster rejects nothing. */
async function deployWhole(agent: ReturnType<typeof agentOf>, credentials: Record<string, string>) {
  return await waitFor(
    async () => {
      const answer = await agent.deploy(credentials)
      return answer.status === DeployStatus.SUCCESS ? answer : undefined
    },
    { what: 'a deploy without rejections' },
  )
}

test('a change creates a revision, and a rollback restores earlier credentials', async () => {
  const agent = agentOf(deployer, owner, 'rolled')
  await agent.register()
  const { k8sNamespace } = await agent.deploy()
  await agent.deploy({ API_TOKEN: 'second-secret-value' })
  await agent.deploy({})
  // Its image doesn't exist, so no revision is ever ready.
  const refused = await failure(agent.rollback())
  expect(refused).toMatchObject({ reason: 'no_ready_revision', metadata: { revisions: '1' } })
  expect(refused.message).toContain('1 (build b1)')
  const back = await agent.rollback({ revision: 1 })
  expect(back).toMatchObject({
    status: DeployStatus.SUCCESS,
    revision: 3,
    buildId: 'b1',
    rolledBackTo: 1,
    warnings: ['revision: revision 1 was never ready'],
  })
  expect(await agent.revisions()).toMatchObject([
    { revision: 3, state: RevisionState.APPLIED, rolledBackTo: 1, live: true, restorable: false },
    { revision: 2, state: RevisionState.SUPERSEDED, live: false, restorable: true },
    { revision: 1, state: RevisionState.SUPERSEDED, live: false, restorable: true },
  ])
  const [deployment] = await agent.list('Deployment', k8sNamespace)
  const secrets = await agent.list('Secret', k8sNamespace)
  const used = secrets.filter(({ metadata }) => JSON.stringify(deployment).includes(metadata.name))
  expect(contentOf(used)).toEqual(expect.arrayContaining(['API_TOKEN=first-secret-value']))
  expect(await outcomeOf(agent.rollback({ revision: 99 }))).toBe('revision_not_found')
  const forth = await agent.rollback({ revision: 2 })
  expect(forth).toMatchObject({ status: DeployStatus.SUCCESS, revision: 4 })
})

test('a revision has the settings of its deploy, and no value of a credential', async () => {
  const agent = agentOf(deployer, owner, 'with-settings')
  await agent.register()
  await agent.deploy(token(1), { overridesJson: '{"agent.replicas": 2}' })
  const call = { account: owner.account, name: agent.name, revision: 1 }
  const { revision, settings } = await deployer.deployments.getRevision(call, owner.options)
  expect(revision).toMatchObject({ revision: 1, buildId: 'b1', live: true })
  expect(settings).toMatchObject({
    interfaces: [],
    schedules: {},
    overridesJson: '{"agent.replicas":2}',
    credentialKeys: ['API_TOKEN'],
  })
  expect(JSON.stringify(settings)).not.toContain('secret-value')
  const unknown = deployer.deployments.getRevision({ ...call, revision: 9 }, owner.options)
  expect(await outcomeOf(unknown)).toBe('revision_not_found')
})

test('a revision cannot be restored when its Secrets are gone', async () => {
  const agent = agentOf(deployer, owner, 'unrestorable')
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  const [first] = (await agent.list('Secret', namespace)).filter(({ data }) => data?.['API_TOKEN'])
  await agent.deploy({ API_TOKEN: 'second-secret-value' })
  await deleteObject(deployer.cluster, {
    apiVersion: 'v1',
    kind: 'Secret',
    namespace,
    name: first?.metadata.name ?? '',
  })
  expect(await outcomeOf(agent.rollback({ revision: 1 }))).toBe('revision_not_restorable')
})

test('the last three revisions keep their Secrets', async () => {
  const agent = agentOf(deployer, owner, 'pruned')
  await agent.register()
  const { k8sNamespace } = await agent.deploy()
  for (const number of [2, 3, 4, 5]) await agent.deploy({ API_TOKEN: `secret-value-${number}` })
  const tokens = contentOf(await agent.list('Secret', k8sNamespace)).filter((line) =>
    line.startsWith('API_TOKEN'),
  )
  expect(tokens).toEqual([
    'API_TOKEN=secret-value-3',
    'API_TOKEN=secret-value-4',
    'API_TOKEN=secret-value-5',
  ])
})

test('revisions from before readiness was recorded count as ready', async () => {
  const { agent, tokens } = await deployFirst('unrecorded')
  const { id } = await deployer.db
    .updateTable('revision')
    .set({ records_readiness: false })
    .from('deployment')
    .where('deployment.agent', '=', agent.name)
    .whereRef('deployment_id', '=', 'deployment.id')
    .returning('deployment.id')
    .executeTakeFirstOrThrow()
  expect(id).not.toBe('')
  for (const number of [2, 3, 4, 5]) await agent.deploy(token(number))
  // In addition to the last three, which were never ready.
  expect(await tokens()).toEqual([1, 3, 4, 5].map((number) => `API_TOKEN=secret-value-${number}`))
  expect((await agent.revisions()).at(-1)).toMatchObject({
    revision: 1,
    restorable: true,
    wasReady: true,
    readinessUnknown: true,
  })
  expect(await agent.rollback()).toMatchObject({
    revision: 6,
    rolledBackTo: 1,
    warnings: [expect.stringMatching(/^revision: revision 1 was created before readiness was/)],
  })
  expect((await agent.revisions())[0]).toMatchObject({ wasReady: false, readinessUnknown: false })
})

test('partly applied revisions do not displace revisions that can be restored', async () => {
  const { agent, namespace, tokens } = await deployFirst('crowded-out')
  const allow = await allowNo(deployer.cluster, 'services', namespace)
  for (const service of await agent.list('Service', namespace))
    await deleteObject(deployer.cluster, keyOf(service))
  for (const number of [2, 3, 4]) {
    expect(await agent.deploy(token(number))).toMatchObject({
      status: DeployStatus.PARTIAL,
      revision: number,
    })
  }
  await allow()
  const whole = await deployWhole(agent, token(5))
  // The previous revision's Secrets stay, because its pods may still be running.
  expect(await tokens()).toEqual([1, 4, 5].map((number) => `API_TOKEN=secret-value-${number}`))
  const back = await agent.rollback({ revision: 1 })
  expect(back).toMatchObject({
    status: DeployStatus.SUCCESS,
    revision: whole.revision + 1,
  })
  expect((await agent.revisions())[0]).toMatchObject({
    state: RevisionState.APPLIED,
    rolledBackTo: 1,
  })
})

test('a rollback can restore every revision that is listed as restorable', async () => {
  const { agent } = await deployFirst('restorable')
  for (const number of [2, 3, 4, 5, 6]) await agent.deploy(token(number))
  const restorable = async () =>
    (await agent.revisions()).filter((each) => each.restorable).map(({ revision }) => revision)
  expect(await restorable()).toEqual([5, 4])
  expect(await outcomeOf(agent.rollback({ revision: 1 }))).toBe('revision_not_restorable')
  expect(await agent.rollback({ revision: 4 })).toMatchObject({
    status: DeployStatus.SUCCESS,
  })
  expect(await restorable()).toEqual([6, 5, 4])
})

test('a rollback to the live revision only restores objects, and runs no Job', async () => {
  const agent = agentOf(deployer, owner, 'returned')
  const seed =
    'ingestion:\n  seed: {container: {image: registry.example/seed:1}, trigger: {type: startup}}\n'
  await agent.register('b1', PLAIN_SPEC + seed)
  await agent.deploy(token(1))
  await agent.deploy(token(2))
  const result = await agent.rollback({ revision: 1 })
  const namespace = result.k8sNamespace
  const jobs = async () =>
    (await agent.list('Job', namespace)).map(({ metadata: { name, uid } }) => [name, uid])
  const before = await jobs()
  // By the number of the live revision, and by that of the revision that it copies.
  for (const revision of [3, 1]) {
    for (const service of await agent.list('Service', namespace))
      await deleteObject(deployer.cluster, keyOf(service))
    const again = await agent.rollback({ revision })
    expect(again).toMatchObject({ status: DeployStatus.SUCCESS, revision: 3 })
    const changed = again.resources.filter(({ status }) => status !== ResourceStatus.UNCHANGED)
    expect(changed).toMatchObject([{ kind: 'Service', status: ResourceStatus.CREATED }])
  }
  expect(await jobs()).toEqual(before)
  expect(await agent.revisions()).toHaveLength(3)
})
