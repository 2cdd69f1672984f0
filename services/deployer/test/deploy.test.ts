import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { ServiceEndpointType } from '@slipway/proto/slipway/deployer/v1/deployment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, contentOf, CREDENTIALS, failure, statusesOf } from './support/agents.ts'
import { outcomeOf, type Person, type TestDeployer } from './support/deployer.ts'
import { startFullDeployer } from './support/full-deployer.ts'
import { FULL_CHOICES, FULL_CREDENTIALS, FULL_SPEC } from './support/specs.ts'

let deployer: TestDeployer
let owner: Person
let stranger: Person
beforeAll(async () => {
  ;({ deployer, owner } = await startFullDeployer())
  stranger = await deployer.signIn('stranger')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

async function registered(name: string, specContent?: string) {
  const agent = agentOf(deployer, owner, name)
  await agent.register('b1', specContent)
  return agent
}

describe('Deploy', () => {
  test('creates the objects of an agent, and changes nothing the second time', async () => {
    const agent = await registered('plain')
    const first = await agent.deploy()
    expect(first).toMatchObject({
      status: DeployStatus.SUCCESS,
      errors: [],
      revision: 1,
      buildId: 'b1',
      name: 'plain',
    })
    expect(first.resources.map(({ kind }) => kind)).toEqual([
      'Namespace',
      'Secret',
      'Secret',
      'ServiceAccount',
      'ResourceQuota',
      'LimitRange',
      'ConfigMap',
      'Service',
      'NetworkPolicy',
      'NetworkPolicy',
      'Deployment',
    ])
    expect(statusesOf(first)).toEqual(new Set([ResourceStatus.CREATED]))
    expect(first.serviceEndpoints).toMatchObject([
      {
        name: 'agent-http',
        type: ServiceEndpointType.HTTP,
        url: `http://plain-agent.${first.k8sNamespace}.svc.cluster.local:8080`,
      },
    ])
    const versions = async () =>
      (await agent.list('Secret', first.k8sNamespace)).map(
        ({ metadata }) => metadata.resourceVersion,
      )
    const before = await versions()
    const second = await agent.deploy({})
    expect(second).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    expect(statusesOf(second)).toEqual(new Set([ResourceStatus.UNCHANGED]))
    expect(await versions()).toEqual(before)
  })

  test('keeps credentials that are omitted, and creates a revision for new ones', async () => {
    const agent = await registered('kept')
    const { k8sNamespace } = await agent.deploy({
      ...CREDENTIALS,
      EXTRA_TOKEN: 'extra-secret-value',
    })
    const changed = await agent.deploy({ API_TOKEN: 'second-secret-value' })
    expect(changed).toMatchObject({ status: DeployStatus.SUCCESS, revision: 2 })
    const secrets = await agent.list('Secret', k8sNamespace)
    expect(secrets.map((secret) => contentOf([secret]))).toContainEqual([
      'API_TOKEN=second-secret-value',
      'EXTRA_TOKEN=extra-secret-value',
    ])
    const removed = await agent.deploy({ EXTRA_TOKEN: '' })
    expect(removed.revision).toBe(3)
    expect(await failure(agent.deploy({ API_TOKEN: '' }))).toMatchObject({
      reason: 'validation_failed',
      violations: [{ field: expect.stringContaining('API_TOKEN') }],
    })
  })

  test('restores objects that were changed or deleted manually', async () => {
    const agent = await registered('repaired')
    const { k8sNamespace: namespace } = await agent.deploy()
    const key = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'repaired-agent' }
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${key.name}`
    await deployer.cluster.send({
      method: 'PATCH',
      path: `${path}?fieldManager=somebody`,
      contentType: 'application/merge-patch+json',
      body: { spec: { replicas: 3 } },
    })
    const changed = await agent.deploy({})
    expect(changed.resources.find(({ kind }) => kind === 'Deployment')?.status).toBe(
      ResourceStatus.UPDATED,
    )
    await deleteObject(deployer.cluster, key)
    const deleted = await agent.deploy({})
    expect(deleted.resources.find(({ kind }) => kind === 'Deployment')?.status).toBe(
      ResourceStatus.CREATED,
    )
    expect(deleted.revision).toBe(1)
  })

  test('requires credentials whose Secret was deleted, and writes nothing', async () => {
    const agent = await registered('lost')
    const { k8sNamespace: namespace } = await agent.deploy()
    for (const secret of await agent.list('Secret', namespace))
      await deleteObject(deployer.cluster, keyOf(secret))
    expect(await failure(agent.deploy({}))).toMatchObject({
      reason: 'credentials_lost',
      metadata: { keys: 'API_TOKEN' },
    })
    expect(await agent.list('Secret', namespace)).toEqual([])
    expect(await agent.deploy()).toMatchObject({ status: DeployStatus.SUCCESS })
  })

  test('reports all problems with an invalid deploy, and writes nothing', async () => {
    const agent = await registered('invalid')
    const { reason, violations } = await failure(agent.deploy({ 'not-a-name': 'x' }))
    expect(reason).toBe('validation_failed')
    expect(violations.map(({ field }) => field)).toEqual([
      'user_credentials.API_TOKEN',
      'user_credentials.not-a-name',
    ])
    expect(await outcomeOf(agent.undeploy())).toBe('deployment_not_found')
  })

  test('fails for callers of other accounts and for unknown accounts and agents', async () => {
    await registered('refused')
    const outcome = async (person: Person, name: string) =>
      await outcomeOf(agentOf(deployer, person, name).deploy())
    expect(await outcome({ ...stranger, account: owner.account }, 'refused')).toBe(
      'permission_denied',
    )
    expect(await outcome(owner, 'no-such-agent')).toBe('no_builds')
    expect(await outcome({ ...owner, account: 'no-such-account' }, 'refused')).toBe(
      'account_not_found',
    )
    expect(await outcome(owner, '')).toBe('invalid_argument')
  })
})

describe('Undeploy', () => {
  test('removes the namespace, and the next deploy waits until it is gone', async () => {
    const agent = await registered('removed')
    const first = await agent.deploy()
    expect(await agent.undeploy()).toMatchObject({
      name: 'removed',
      buildId: 'b1',
      k8sNamespace: first.k8sNamespace,
    })
    expect(await outcomeOf(agent.undeploy())).toBe('deployment_not_found')
    const second = await agent.deploy()
    expect(second).toMatchObject({
      status: DeployStatus.SUCCESS,
      revision: 1,
      k8sNamespace: first.k8sNamespace,
    })
    expect(statusesOf(second)).toEqual(new Set([ResourceStatus.CREATED]))
  })

  test('succeeds when the namespace is already gone', async () => {
    const agent = await registered('gone')
    const { k8sNamespace: name } = await agent.deploy()
    const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name }
    await deleteObject(deployer.cluster, key)
    expect(await agent.undeploy()).toMatchObject({ k8sNamespace: name })
  })
})

describe('an idempotency key', () => {
  test('returns the first response again, and starts no second Job', async () => {
    const agent = await registered('keyed', FULL_SPEC)
    const { k8sNamespace: namespace } = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
    const headers = new Headers(owner.options.headers)
    headers.set('x-idempotency-key', 'key-1')
    headers.set('x-idempotency-fingerprint', 'print-1')
    const trigger = (options = { headers }) =>
      deployer.workloads.triggerIngestion(
        { account: owner.account, namespace, ingestion: 'docs' },
        options,
      )
    const first = await trigger()
    expect(await trigger()).toEqual(first)
    const other = new Headers(headers)
    other.set('x-idempotency-fingerprint', 'print-2')
    expect(await outcomeOf(trigger({ headers: other }))).toBe('idempotency_key_reused')
    const jobs = (await agent.list('Job', namespace)).filter(
      ({ metadata }) => metadata.name === first.jobName,
    )
    expect(jobs).toHaveLength(1)
  })
})
