import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, statusesOf } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('keeps an autoscaler’s number of replicas until the autoscaler is deleted', async () => {
  const { cluster } = deployer
  const agent = agentOf(deployer, owner, 'scaled')
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  const replicas = async () => (await agent.list('Deployment', namespace))[0]?.spec?.['replicas']
  const autoscalers = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`
  await cluster.send({
    method: 'POST',
    path: autoscalers,
    body: {
      metadata: { name: 'more' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled-agent' },
        // It scales to the minimum without measuring anything.
        minReplicas: 2,
        maxReplicas: 4,
      },
    },
  })
  await waitFor(async () => (await replicas()) === 2, { what: 'the autoscaler to scale' })
  const second = await agent.deploy({ API_TOKEN: 'second-secret-value' })
  expect(second).toMatchObject({ status: DeployStatus.SUCCESS, revision: 2, errors: [] })
  expect(await replicas()).toBe(2)
  expect(statusesOf(await agent.deploy({}))).toEqual(new Set([ResourceStatus.UNCHANGED]))

  await cluster.send({ method: 'DELETE', path: `${autoscalers}/more` })
  expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS, revision: 2 })
  expect(await replicas()).toBe(1)
})
