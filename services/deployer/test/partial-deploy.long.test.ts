import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, ROLLOUT_SECONDS } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'
import { allowNo } from './support/quotas.ts'

let image: string
let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
  image = await pauseImage(deployer.cluster)
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('a partly rejected deployment is degraded until a deploy succeeds', async () => {
  const agent = agentOf(deployer, owner, 'unserved')
  await agent.register('b1', `spec: astro/v1\nname: unserved\nagent: {image: "${image}"}\n`)
  const { k8sNamespace: namespace, serviceEndpoints } = await agent.deploy({}, {}, ROLLOUT_SECONDS)
  expect(serviceEndpoints).toMatchObject([{ name: 'agent-http' }])
  expect(await agent.get()).toMatchObject({ state: DeploymentState.READY, reason: '' })

  const allow = await allowNo(deployer.cluster, 'services', namespace)
  for (const service of await agent.list('Service', namespace))
    await deleteObject(deployer.cluster, keyOf(service))
  const partial = await agent.deploy({}, {}, ROLLOUT_SECONDS)
  expect(partial).toMatchObject({ status: DeployStatus.PARTIAL, serviceEndpoints: [] })
  expect(partial.errors).toHaveLength(1)
  const [reason] = partial.errors
  expect(reason).toMatch(/^Service\/unserved-agent: .*exceeded quota/)
  expect(partial.rollout).toMatchObject({ state: DeploymentState.DEGRADED, reason })
  expect(await agent.get()).toMatchObject({
    state: DeploymentState.DEGRADED,
    reason,
    serviceEndpoints: [],
  })
  expect(await agent.revisions()).toMatchObject([{ state: RevisionState.PARTIAL, live: true }])

  await allow()
  const repaired = await waitFor(
    async () => {
      const answer = await agent.deploy({}, {}, ROLLOUT_SECONDS)
      return answer.status === DeployStatus.SUCCESS ? answer : undefined
    },
    { what: 'the quota to be gone' },
  )
  expect(repaired).toMatchObject({ serviceEndpoints, rollout: { state: DeploymentState.READY } })
  expect(await agent.get()).toMatchObject({
    state: DeploymentState.READY,
    reason: '',
    serviceEndpoints,
  })
})

test('leftovers of partly rejected revisions are deleted after some more', async () => {
  const agent = agentOf(deployer, owner, 'always-partial')
  await agent.register('b1', `spec: astro/v1\nname: always-partial\nagent: {image: "${image}"}\n`)
  const deploy = async (index: number) =>
    await agent.deploy(
      { KEY: `secret-value-${index}` },
      {
        overridesJson: JSON.stringify({ 'agent.environment.INDEX': String(index) }),
      },
    )
  const { k8sNamespace: namespace } = await deploy(0)
  const allow = await allowNo(deployer.cluster, 'services', namespace)
  await waitFor(
    async () => {
      for (const service of await agent.list('Service', namespace))
        await deleteObject(deployer.cluster, keyOf(service))
      return (await deploy(0)).status === DeployStatus.PARTIAL
    },
    { what: 'the quota to be enforced' },
  )
  const DEPLOYS = 15
  for (let index = 1; index <= DEPLOYS; index += 1)
    expect((await deploy(index)).status).toBe(DeployStatus.PARTIAL)
  const indexes = (await agent.list('ConfigMap', namespace)).flatMap(
    ({ data }) => data?.['INDEX'] ?? [],
  )
  // The first one is that of the last complete revision.
  expect(indexes.map(Number).toSorted((a, b) => a - b)).toEqual([
    0,
    ...Array.from({ length: 10 }, (_, place) => DEPLOYS - 9 + place),
  ])
  await allow()
})
