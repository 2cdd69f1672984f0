import { ComponentKind, ServiceEndpointType } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
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

test('GetDeployment returns components with pods, ListDeployments without', async () => {
  const agent = agentOf(deployer, owner, 'stated')
  await agent.register()
  const answer = await agent.deploy()
  const seen = await waitFor(
    async () => {
      const state = await agent.get()
      return state?.components.some(({ pods }) => pods.length > 0) ? state : undefined
    },
    { what: 'the pod to be seen' },
  )
  expect(seen).toMatchObject({
    name: 'stated',
    revision: 1,
    buildId: 'b1',
    sourceAccount: '',
    k8sNamespace: answer.k8sNamespace,
    deployedBy: owner.userId,
    components: [{ name: 'agent', kind: ComponentKind.AGENT }],
    serviceEndpoints: [{ name: 'agent-http', type: ServiceEndpointType.HTTP }],
  })
  const { deployments } = await deployer.deployments.listDeployments(
    { account: owner.account },
    owner.options,
  )
  expect(deployments.find(({ name }) => name === 'stated')).toMatchObject({
    components: [{ pods: [] }],
  })
  await agent.undeploy()
  expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
})

test('ListDeployments returns all live deployments page by page, sorted by name', async () => {
  for (const name of ['page-a', 'page-b', 'page-c']) {
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    await agent.deploy()
  }
  const names: string[] = []
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const page = await deployer.deployments.listDeployments(
      { account: owner.account, pageSize: 2, pageToken },
      owner.options,
    )
    names.push(...page.deployments.map(({ name }) => name))
    pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken
  }
  expect(names).toEqual(names.toSorted())
  expect(names).toEqual(expect.arrayContaining(['page-a', 'page-b', 'page-c']))
})
