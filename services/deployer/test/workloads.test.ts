import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
let stranger: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
  stranger = await deployer.signIn('stranger')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

async function deployed(name: string) {
  const agent = agentOf(deployer, owner, name)
  await agent.register()
  const { k8sNamespace: namespace, resources } = await agent.deploy()
  const aPod = async () =>
    await waitFor(async () => (await agent.list('Pod', namespace))[0], { what: 'a pod' })
  return { agent, namespace, resources, aPod }
}

describe('GetConfigMap', () => {
  test('returns config maps of the deployment, and no others', async () => {
    const { namespace, resources } = await deployed('inspected')
    const name = resources.find(({ kind }) => kind === 'ConfigMap')?.name ?? ''
    const read = (request: { namespace?: string; name?: string }, person = owner) =>
      deployer.workloads.getConfigMap(
        { account: owner.account, namespace, name, ...request },
        person.options,
      )
    const { data } = await read({})
    expect(data).toMatchObject({
      ASTRO_AGENT_NAME: 'inspected',
      ASTRO_AGENT_BUILD: 'b1',
      GREETING: 'hello',
    })
    expect(JSON.stringify(data)).not.toContain('first-secret-value')
    expect(await outcomeOf(read({ name: 'kube-root-ca.crt' }))).toBe('config_map_not_found')
    expect(await outcomeOf(read({ name: '../secrets/x' }))).toBe('config_map_not_found')
    expect(await outcomeOf(read({ namespace: 'kube-system' }))).toBe('namespace_not_found')
    expect(await outcomeOf(read({}, stranger))).toBe('permission_denied')
    const asStranger = { account: stranger.account, namespace, name }
    expect(await outcomeOf(deployer.workloads.getConfigMap(asStranger, stranger.options))).toBe(
      'namespace_not_found',
    )
  })
})

describe('RestartPod', () => {
  test('restarts pods of the deployment, and no others', async () => {
    const { agent, namespace, aPod } = await deployed('restarted')
    const { metadata: pod } = await aPod()
    const restart = (request: { namespace?: string; pod?: string }) =>
      deployer.workloads.restartPod(
        { account: owner.account, namespace, pod: '', ...request },
        owner.options,
      )
    expect(await outcomeOf(restart({}))).toBe('invalid_argument')
    for (const none of ['no-such-pod', '../secrets/x', '..%2fsecrets%2fx', `${pod.name}/eviction`])
      expect(await outcomeOf(restart({ pod: none }))).toBe('pod_not_found')
    expect(await outcomeOf(restart({ pod: pod.name, namespace: 'default' }))).toBe(
      'permission_denied',
    )
    expect(await restart({ pod: pod.name })).toMatchObject({ pod: pod.name })
    const isReplaced = async () =>
      (await agent.list('Pod', namespace)).some(({ metadata }) => metadata.uid !== pod.uid)
    await waitFor(isReplaced, { what: 'another pod' })
  })
})

describe('StreamLogs', () => {
  test('rejects invalid requests and pods of other deployments', async () => {
    const { namespace, aPod } = await deployed('logged')
    const pod = (await aPod()).metadata.name
    const read = async (request: object) => {
      const stream = deployer.workloads.streamLogs(
        { account: owner.account, namespace, pod, ...request },
        owner.options,
      )
      return await outcomeOf(Array.fromAsync(stream))
    }
    expect(await read({ tailLines: 5001 })).toBe('invalid_argument')
    expect(await read({ container: 'nothing' })).toBe('container_not_found')
    for (const none of ['nothing', '../secrets/x', `../../default/pods/${pod}`])
      expect(await read({ pod: none })).toBe('pod_not_found')
    expect(await read({ namespace: 'kube-system' })).toBe('permission_denied')
  })
})
