import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { collectionPath, objectPath } from '../src/kubernetes/paths.ts'
import { readObject } from '../src/kubernetes/read.ts'
import { agentOf, listIn, type Seen } from './support/agents.ts'
import { startFullDeployer, type FullDeployer } from './support/full-deployer.ts'
import { FULL_CHOICES, FULL_CREDENTIALS, FULL_SPEC } from './support/specs.ts'

let stage: FullDeployer
let agent: ReturnType<typeof agentOf>
let namespace: string
beforeAll(async () => {
  stage = await startFullDeployer()
  agent = agentOf(stage.deployer, stage.owner, 'restored')
  await agent.register('b1', FULL_SPEC)
  namespace = (await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)).k8sNamespace
})
afterAll(async () => {
  await stage.deployer[Symbol.asyncDispose]()
})

async function edit(object: Seen, body: object): Promise<void> {
  const path = `${objectPath(keyOf(object))}?fieldManager=somebody`
  await stage.deployer.cluster.send({
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body,
  })
}

const again = async (object: Seen) => await readObject<Seen>(stage.deployer.cluster, keyOf(object))

async function firstOf(kind: string): Promise<Seen> {
  const own = (await agent.list(kind, namespace)).find(({ metadata: { name } }) =>
    name.startsWith('restored-'),
  )
  if (own === undefined) throw new Error(`the agent has no ${kind}`)
  return own
}

describe('a deploy restores manual changes', () => {
  test.each([
    ['CronJob', { spec: { schedule: '* * * * *' } }],
    ['Deployment', { spec: { replicas: 3 } }],
    ['Ingress', { spec: { rules: [{ host: 'stolen.example' }] } }],
    ['NetworkPolicy', { spec: { policyTypes: ['Ingress'], egress: null } }],
    ['Service', { spec: { selector: { app: 'another' } } }],
    ['ServiceAccount', { automountServiceAccountToken: true }],
    ['StatefulSet', { spec: { replicas: 0 } }],
  ])('of a %s', async (kind, change) => {
    const before = await firstOf(kind)
    await edit(before, change)
    const answer = await agent.deploy({})
    expect(answer).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    const { name } = before.metadata
    const result = answer.resources.find(
      (resource) => resource.kind === kind && resource.name === name,
    )
    expect(result?.status).toBe(ResourceStatus.UPDATED)
    expect((await again(before))?.spec).toEqual(before.spec)
  })

  test.each(['ConfigMap', 'Secret'])(
    'of a %s that was replaced by another with the same name',
    async (kind) => {
      const { cluster } = stage.deployer
      const before = await firstOf(kind)
      await deleteObject(cluster, keyOf(before))
      const { name, labels } = before.metadata
      const forged = {
        ...before,
        metadata: { name, labels },
        data: { FORGED: 'eWVz' },
        immutable: true,
      }
      await cluster.send({
        method: 'POST',
        path: collectionPath('v1', kind, namespace),
        body: forged,
      })
      const answer = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
      expect(answer).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1, errors: [] })
      expect((await again(before))?.data).toEqual(before.data)
    },
  )

  test('of the Pod Security level and the role binding of the namespace', async () => {
    const { cluster } = stage.deployer
    const space = await readObject<Seen>(cluster, {
      apiVersion: 'v1',
      kind: 'Namespace',
      namespace: '',
      name: namespace,
    })
    if (space === undefined) throw new Error('the namespace is gone')
    const [binding] = await listIn(cluster, 'RoleBinding', namespace)
    if (binding === undefined) throw new Error('there is no binding')
    await edit(space, {
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
    })
    await edit(binding, { subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }] })
    expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    expect((await again(space))?.metadata.labels).toEqual(space.metadata.labels)
    expect(await again(binding)).toMatchObject({ subjects: [{ name: 'slipway-deployer' }] })
  })

  test('of its permissions, repeatedly, while the API server still caches them', async () => {
    const { cluster } = stage.deployer
    const [binding] = await listIn(cluster, 'RoleBinding', namespace)
    if (binding === undefined) throw new Error('there is no binding')
    for (let round = 0; round < 12; round++) {
      await edit(binding, { subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }] })
      expect(await agent.deploy({})).toMatchObject({
        status: DeployStatus.SUCCESS,
        revision: 1,
        errors: [],
      })
    }
  })
})
