import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, contentOf } from './support/agents.ts'
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

/** Deploys until nothing is refused any more. */
async function deployWhole(agent: ReturnType<typeof agentOf>, credentials: Record<string, string>) {
  return await waitFor(
    async () => {
      const answer = await agent.deploy(credentials)
      return answer.status === DeployStatus.SUCCESS ? answer : undefined
    },
    { what: 'a deploy of which nothing is refused' },
  )
}

describe('revisions that were applied in part', () => {
  test('take no place among those that can be restored', async () => {
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
    // Those of the revision before stay for its pods, which may still be running.
    expect(await tokens()).toEqual([1, 4, 5].map((number) => `API_TOKEN=secret-value-${number}`))
    const back = await agent.rollback()
    expect(back).toMatchObject({
      status: DeployStatus.SUCCESS,
      revision: whole.revision + 1,
    })
    expect((await agent.revisions())[0]).toMatchObject({
      state: RevisionState.APPLIED,
      rolledBackTo: 1,
    })
  })
})

describe('a revision that is called restorable', () => {
  test('is one that a rollback can go back to', async () => {
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
})

describe('a rollback to what is live', () => {
  test('makes no revision, runs no Job again, and heals', async () => {
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
    // The live one by its own number, and by that of the one that it is a copy of.
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
})
