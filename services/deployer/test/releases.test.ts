import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { RELEASE_LABEL } from '../src/domain/labels.ts'
import { KubernetesClient } from '../src/kubernetes/client.ts'
import { openCluster } from '../src/kubernetes/cluster-access.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { policyCheck } from '../src/kubernetes/policy-check.ts'
import { readObject } from '../src/kubernetes/read.ts'
import { labelNamespace } from './support/admission.ts'
import { agentOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { restrictedRights, type RestrictedRights } from './support/restricted-rights.ts'

// Two releases of Slipway in one cluster: production, and staging with production's database.

const RELEASE = 'slipway-system-slipway'
const BINDING = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' }

const open = new AsyncDisposableStack()
let production: TestDeployer
let owner: Person
/** An account whose permissions no admission policy limits. */
let rights: RestrictedRights
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-releases-'))
  open.defer(() => rm(directory, { recursive: true, force: true }))
  production = open.use(await startTestDeployer())
  const id = randomUUID().slice(0, 8)
  rights = open.use(await restrictedRights(production.cluster, id, join(directory, 'kubeconfig')))
  owner = await production.signIn('owner')
})
afterAll(async () => {
  await open.disposeAsync()
})

const startStaging = async () =>
  await production.startReplica({}, { ...rights.env, RELEASE_NAME: 'team-staging' })

async function deployed(name: string) {
  const agent = agentOf(production, owner, name)
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  return { agent, namespace }
}

async function labelOf(name: string): Promise<string | undefined> {
  const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name }
  return (await readObject(production.cluster, key))?.metadata.labels?.[RELEASE_LABEL]
}

async function failingChecks(opsAddress: string): Promise<readonly string[]> {
  const response = await fetch(`http://${opsAddress}/readyz`)
  return ((await response.json()) as { failing: readonly string[] }).failing
}

test('a release with the database of another changes none of its objects', async () => {
  const { agent, namespace } = await deployed('shared')
  expect(await labelOf(namespace)).toBe(RELEASE)
  const before = await agent.list('Deployment', namespace)
  const staging = { ...production, ...production.clientsOf(await startStaging()) }
  const attack = agentOf(staging, owner, 'shared').deploy({ API_TOKEN: 'other-value' })
  expect(await outcomeOf(attack)).toBe('namespace_taken')
  const specs = (objects: typeof before) => objects.map(({ spec }) => spec)
  expect(specs(await agent.list('Deployment', namespace))).toEqual(specs(before))
  expect(await agent.deploy()).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
})

describe('a namespace from before the label', () => {
  test('is adopted by the release that made it, and by no other', async () => {
    const { agent, namespace } = await deployed('older')
    await labelNamespace(production.cluster, namespace, { [RELEASE_LABEL]: null })
    const { opsAddress } = await startStaging()
    await expect.poll(async () => await failingChecks(opsAddress)).not.toContain('namespaces')
    expect(await labelOf(namespace)).not.toBe('team-staging')
    await production.startReplica()
    await expect.poll(async () => await labelOf(namespace)).toBe(RELEASE)
    expect(await agent.deploy()).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
  })

  test('gets a new binding when the name of the role has changed', async () => {
    const { namespace } = await deployed('renamed')
    const { cluster } = production
    const role = `${RELEASE}-deployer-workloads`
    const current = { ...BINDING, namespace, name: 'slipway-deployer-workloads' }
    await deleteObject(cluster, current)
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`
    const body = {
      metadata: { name: role },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name: 'slipway-deployer', namespace: 'slipway-system' }],
    }
    await cluster.send({ method: 'POST', path, body })
    await labelNamespace(cluster, namespace, { [RELEASE_LABEL]: null })
    await production.startReplica()
    await expect.poll(async () => await readObject(cluster, current)).toBeDefined()
    expect(await labelOf(namespace)).toBe(RELEASE)
  })
})

test('a deployer whose permissions no policy limits is not ready, and says why', async () => {
  const { opsAddress } = await startStaging()
  await expect.poll(async () => await failingChecks(opsAddress)).toContain('admission_policies')
  await expect.poll(async () => await failingChecks(production.process.opsAddress)).toEqual([])
  const { KUBECONFIG = '', SERVICE_ACCOUNT_NAME: name = '', WORKLOAD_CLUSTER_ROLE } = rights.env
  using client = new KubernetesClient(await openCluster(KUBECONFIG), 10_000)
  const serviceAccount = { namespace: 'slipway-system', name }
  const check = policyCheck(client, {
    kubeconfigPath: KUBECONFIG,
    requestTimeoutMs: 10_000,
    release: 'team-staging',
    serviceAccount,
    workloadRole: WORKLOAD_CLUSTER_ROLE ?? '',
  })
  await expect(check()).rejects.toThrow(
    'the cluster lets the deployer create any RoleBinding in slipway-system: its admission ' +
      'policies (ValidatingAdmissionPolicy and its binding) are missing',
  )
})
