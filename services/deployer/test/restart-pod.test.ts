import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { refuse } from './support/admission.ts'
import { agentOf, ROLLOUT_SECONDS } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const agentSpec = (name: string, image: string) =>
  `spec: astro/v1\nname: ${name}\nagent: {image: "${image}"}\n`

/** Restarts a pod and returns the outcome. */
const restart = async (namespace: string, pod: string) =>
  await outcomeOf(
    deployer.workloads.restartPod({ account: owner.account, namespace, pod }, owner.options),
  )

test('concurrent restarts of a pod succeed or find no pod', async () => {
  const agent = agentOf(deployer, owner, 'hammered')
  const image = 'registry.example/never-pulled:1'
  const container = `{image: "${image}", persistent: true, volume: /data}`
  const store = `knowledge: {store: {container: ${container}, persistent: true}}`
  await agent.register('b1', `${agentSpec('hammered', image)}${store}\n`)
  // An unschedulable pod is deleted immediately, so its successor of the same name appears during
  // the restarts.
  const resources = { requests: { cpu: '100' }, limits: { cpu: '100' } }
  const overridesJson = JSON.stringify({ 'knowledge.store.resources': resources })
  const { k8sNamespace: namespace } = await agent.deploy({}, { overridesJson })
  const nameOf = async () =>
    (await agent.list('Pod', namespace))
      .map(({ metadata }) => metadata.name)
      .find((name) => name.endsWith('-0'))
  const pod = await waitFor(nameOf, { what: 'the pod' })
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => await restart(namespace, pod)),
    )
    expect(outcomes).toContain('won')
    expect(outcomes.filter((outcome) => !['won', 'pod_not_found'].includes(outcome))).toEqual([])
    await waitFor(nameOf, { what: 'the next pod' })
  }
})

test('reports a restart that the cluster rejects', async () => {
  const agent = agentOf(deployer, owner, 'undeletable')
  await agent.register('b1', agentSpec('undeletable', await pauseImage(deployer.cluster)))
  const { k8sNamespace: namespace } = await agent.deploy({}, {}, ROLLOUT_SECONDS)
  await using _ = await refuse(deployer.cluster, {
    name: `refuse-delete-${owner.accountId}`,
    resources: ['pods'],
    operations: ['DELETE'],
    namespaceSelector: { matchLabels: { 'slipway.dev/account-id': owner.accountId } },
    // The kubelet and the namespace controller may still delete pods.
    expression: `!request.userInfo.username.endsWith(':slipway-deployer')`,
  })
  const outcome = async () => {
    const pods = await agent.list('Pod', namespace)
    const pod = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined)
    return pod === undefined ? 'won' : await restart(namespace, pod.metadata.name)
  }
  const refused = async () => [await outcome()].find((each) => each !== 'won')
  const outcomeNow = await waitFor(refused, {
    what: 'the policy to take effect',
    intervalMs: 1_000,
  })
  expect(outcomeNow).toBe('restart_refused')
})
