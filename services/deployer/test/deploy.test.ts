import { createHash } from 'node:crypto'

import {
  DeployStatus,
  ResourceStatus,
  type DeployResult,
} from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { ServiceEndpointType } from '@slipway/proto/slipway/deployer/v1/deployment'
import { readRemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { KubernetesObject } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { listObjects } from '../src/kubernetes/read.ts'
import { CALL_MS, resultOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { PLAIN_SPEC } from './support/specs.ts'

const CREDENTIALS = { API_TOKEN: 'first-secret-value' }

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

function register(name: string, buildId = 'b1', specContent = PLAIN_SPEC) {
  const build = { buildId, registry: 'oci://registry.example', specContent }
  return deployer.agents.registerBuild({ account: owner.account, name, ...build }, owner.options)
}

function deploy(name: string, userCredentials: Record<string, string> = CREDENTIALS, who = owner) {
  const target = { account: owner.account, name, userCredentials }
  return resultOf(deployer.deployments.deploy({ target }, { ...who.options, timeoutMs: CALL_MS }))
}

function undeploy(name: string, who = owner) {
  return deployer.deployments.undeploy({ account: owner.account, name }, who.options)
}

type Labelled = KubernetesObject & { data?: Record<string, string> }

const list = async (kind: string, namespace: string) =>
  (await listObjects<Labelled>(deployer.cluster, { apiVersion: 'v1', kind, namespace })).items

const statusesOf = ({ resources }: DeployResult) => new Set(resources.map(({ status }) => status))

async function failure(call: Promise<unknown>) {
  return await call.then(
    () => {
      throw new Error('the call was to fail')
    },
    (error: unknown) => readRemoteError(error),
  )
}

describe('Deploy', () => {
  test('makes the objects of an agent, tells of each, and does nothing the second time', async () => {
    await register('plain')
    const first = await deploy('plain')
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
      (await list('Secret', first.k8sNamespace)).map(({ metadata }) => metadata.resourceVersion)
    const before = await versions()
    const second = await deploy('plain', {})
    expect(second).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    expect(statusesOf(second)).toEqual(new Set([ResourceStatus.UNCHANGED]))
    expect(await versions()).toEqual(before)
  })

  test('keeps credentials that are not given, and makes a revision for those that are', async () => {
    await register('kept')
    const { k8sNamespace } = await deploy('kept', {
      ...CREDENTIALS,
      EXTRA_TOKEN: 'extra-secret-value',
    })
    const changed = await deploy('kept', { API_TOKEN: 'second-secret-value' })
    expect(changed).toMatchObject({ status: DeployStatus.SUCCESS, revision: 2 })
    const values = (await list('Secret', k8sNamespace)).map(({ data }) =>
      Object.entries(data ?? {}).map(
        ([key, value]) => `${key}=${Buffer.from(value, 'base64').toString()}`,
      ),
    )
    expect(values).toContainEqual([
      'API_TOKEN=second-secret-value',
      'EXTRA_TOKEN=extra-secret-value',
    ])
    const removed = await deploy('kept', { EXTRA_TOKEN: '' })
    expect(removed.revision).toBe(3)
    expect(await failure(deploy('kept', { API_TOKEN: '' }))).toMatchObject({
      reason: 'validation_failed',
      violations: [{ field: expect.stringContaining('API_TOKEN') }],
    })
  })

  test('heals what was edited or deleted by hand', async () => {
    await register('healed')
    const { k8sNamespace: namespace } = await deploy('healed')
    const key = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'healed-agent' }
    await deployer.cluster.send({
      method: 'PATCH',
      path: `/apis/apps/v1/namespaces/${namespace}/deployments/healed-agent?fieldManager=somebody`,
      contentType: 'application/merge-patch+json',
      body: { spec: { replicas: 3 } },
    })
    const healed = await deploy('healed', {})
    expect(healed.resources.find(({ kind }) => kind === 'Deployment')?.status).toBe(
      ResourceStatus.UPDATED,
    )
    await deleteObject(deployer.cluster, key)
    const again = await deploy('healed', {})
    expect(again.resources.find(({ kind }) => kind === 'Deployment')?.status).toBe(
      ResourceStatus.CREATED,
    )
    expect(again.revision).toBe(1)
  })

  test('asks for credentials whose Secret is gone, and writes nothing then', async () => {
    await register('lost')
    const { k8sNamespace: namespace } = await deploy('lost')
    for (const { metadata } of await list('Secret', namespace)) {
      await deleteObject(deployer.cluster, {
        apiVersion: 'v1',
        kind: 'Secret',
        namespace,
        name: metadata.name,
      })
    }
    expect(await failure(deploy('lost', {}))).toMatchObject({
      reason: 'credentials_lost',
      metadata: { keys: 'API_TOKEN' },
    })
    expect(await list('Secret', namespace)).toEqual([])
    expect(await deploy('lost')).toMatchObject({ status: DeployStatus.SUCCESS })
  })

  test('says what is wrong, and does nothing, when validation fails', async () => {
    await register('invalid')
    const { reason, violations } = await failure(deploy('invalid', { 'not-a-name': 'x' }))
    expect(reason).toBe('validation_failed')
    expect(violations.map(({ field }) => field)).toEqual([
      'user_credentials.API_TOKEN',
      'user_credentials.not-a-name',
    ])
    expect(await outcomeOf(undeploy('invalid'))).toBe('deployment_not_found')
  })

  test('refuses strangers and what does not exist', async () => {
    await register('refused')
    expect(await outcomeOf(deploy('refused', CREDENTIALS, stranger))).toBe('permission_denied')
    expect(await outcomeOf(deploy('no-such-agent'))).toBe('no_builds')
    const nowhere = { target: { account: 'no-such-account', name: 'refused', userCredentials: {} } }
    expect(await outcomeOf(deployer.deployments.deploy(nowhere, owner.options))).toBe(
      'account_not_found',
    )
    const shapeless = { target: { account: owner.account, name: '', userCredentials: {} } }
    expect(await outcomeOf(deployer.deployments.deploy(shapeless, owner.options))).toBe(
      'invalid_argument',
    )
  })
})

describe('Undeploy', () => {
  test('removes the namespace; a deploy right after waits for it', async () => {
    await register('removed')
    const first = await deploy('removed')
    const removed = await undeploy('removed')
    expect(removed).toMatchObject({
      name: 'removed',
      buildId: 'b1',
      k8sNamespace: first.k8sNamespace,
    })
    expect(await outcomeOf(undeploy('removed'))).toBe('deployment_not_found')
    const second = await deploy('removed')
    expect(second).toMatchObject({
      status: DeployStatus.SUCCESS,
      revision: 1,
      k8sNamespace: first.k8sNamespace,
    })
    expect(statusesOf(second)).toEqual(new Set([ResourceStatus.CREATED]))
  })

  test('is a success when the namespace is gone already', async () => {
    await register('gone')
    const { k8sNamespace: name } = await deploy('gone')
    await deleteObject(deployer.cluster, {
      apiVersion: 'v1',
      kind: 'Namespace',
      namespace: '',
      name,
    })
    expect(await undeploy('gone')).toMatchObject({ k8sNamespace: name })
  })
})

describe('inspection', () => {
  test('shows config maps that the deployment made, and no others', async () => {
    await register('inspected')
    const { k8sNamespace: namespace, resources } = await deploy('inspected')
    const name = resources.find(({ kind }) => kind === 'ConfigMap')?.name ?? ''
    const read = (request: { namespace?: string; name?: string }, who = owner) =>
      deployer.workloads.getConfigMap(
        { account: owner.account, namespace, name, ...request },
        who.options,
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

  test('restarts pods of the deployment only', async () => {
    await register('restarted')
    const { k8sNamespace: namespace } = await deploy('restarted')
    const pod = await waitFor(async () => (await list('Pod', namespace))[0], { what: 'a pod' })
    const restart = (request: { namespace?: string; pod?: string }) =>
      deployer.workloads.restartPod(
        { account: owner.account, namespace, pod: '', ...request },
        owner.options,
      )
    expect(await outcomeOf(restart({}))).toBe('invalid_argument')
    expect(await outcomeOf(restart({ pod: 'no-such-pod' }))).toBe('pod_not_found')
    expect(await outcomeOf(restart({ pod: pod.metadata.name, namespace: 'default' }))).toBe(
      'permission_denied',
    )
    expect(await restart({ pod: pod.metadata.name })).toMatchObject({ pod: pod.metadata.name })
    await waitFor(
      async () =>
        (await list('Pod', namespace)).some(({ metadata }) => metadata.uid !== pod.metadata.uid),
      {
        what: 'another pod',
      },
    )
  })

  test('checks what is asked of a log', async () => {
    await register('logged')
    const { k8sNamespace: namespace } = await deploy('logged')
    const pod = (await waitFor(async () => (await list('Pod', namespace))[0], { what: 'a pod' }))
      .metadata.name
    const read = async (request: object) => {
      const stream = deployer.workloads.streamLogs(
        { account: owner.account, namespace, pod, ...request },
        owner.options,
      )
      return await outcomeOf(Array.fromAsync(stream))
    }
    expect(await read({ tailLines: 5001 })).toBe('invalid_argument')
    expect(await read({ container: 'nothing' })).toBe('container_not_found')
    expect(await read({ pod: 'nothing' })).toBe('pod_not_found')
    expect(await read({ namespace: 'kube-system' })).toBe('permission_denied')
  })
})

describe('the ingest token', () => {
  test('leads to the deployment, for services only, until it is undeployed', async () => {
    await register('traced')
    const { k8sNamespace: namespace } = await deploy('traced')
    const header = (await list('Secret', namespace)).flatMap(
      ({ data }) => data?.['OTEL_EXPORTER_OTLP_HEADERS'] ?? [],
    )
    const token =
      /^authorization=Bearer%20(.+)$/.exec(
        Buffer.from(header[0] ?? '', 'base64').toString(),
      )?.[1] ?? ''
    const tokenSha256 = createHash('sha256').update(token).digest()
    const service = await deployer.asService('observability')
    const found = await deployer.workloads.resolveIngestToken({ tokenSha256 }, service)
    expect(found).toMatchObject({ accountId: owner.accountId, agent: 'traced', buildId: 'b1' })
    const resolve = (options: typeof service) =>
      outcomeOf(deployer.workloads.resolveIngestToken({ tokenSha256 }, options))
    expect(await resolve(owner.options)).toBe('wrong_caller')
    await undeploy('traced')
    expect(await resolve(service)).toBe('ingest_token_unknown')
  })
})
