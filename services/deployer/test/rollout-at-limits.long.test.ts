import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { LimitFiles } from './support/account-limits.ts'
import { agentOf, ROLLOUT_SECONDS } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'

let image: string
let deployer: TestDeployer
beforeAll(async () => {
  deployer = await startTestDeployer()
  image = await pauseImage(deployer.cluster)
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('a rollout at the limits of the account finishes next to a run of an ingestion', async () => {
  await using files = new LimitFiles()
  // Two replicas and one run of the ingestion.
  const limits = await files.write({ pods: 3, cpu: 2.5, memory_bytes: '2560Mi' })
  const limited = deployer.clientsOf(await deployer.startReplica({}, limits))
  const tenant = await deployer.signIn('tenant')
  const agent = agentOf({ ...deployer, ...limited }, tenant, 'full')
  const spec = `spec: astro/v1
name: pods
agent: {image: "${image}"}
ingestion:
  docs: {container: {image: "${image}"}, trigger: {type: manual}}
`
  await agent.register('b1', spec)
  const deploy = async (cpu: string, memory: string, replicas: number) => {
    const overrides = {
      'agent.replicas': replicas,
      'agent.resources.limits': { cpu, memory },
    }
    return await agent.deploy({}, { overridesJson: JSON.stringify(overrides) }, ROLLOUT_SECONDS)
  }
  const success = { status: DeployStatus.SUCCESS, errors: [] }
  const { k8sNamespace: namespace, ...first } = await deploy('1', '1Gi', 2)
  expect(first).toMatchObject(success)
  const { jobName } = await agent.trigger(namespace, 'docs')
  const ofRun = async () =>
    (await agent.list('Pod', namespace)).find(({ metadata }) => metadata.name.startsWith(jobName))
  await waitFor(async () => (await ofRun())?.status?.['phase'] === 'Running', {
    what: 'the run to start',
  })
  expect(await deploy('2', '2Gi', 1)).toMatchObject(success)
  expect(await deploy('1', '1Gi', 2)).toMatchObject(success)
  expect(await deploy('500m', '512Mi', 1)).toMatchObject(success)
  expect(await deploy('2', '2Gi', 1)).toMatchObject(success)
  expect(await ofRun()).toMatchObject({ status: { phase: 'Running' } })
  expect(await outcomeOf(deploy('1', '1Gi', 3))).toBe('quota_exceeded')
})
