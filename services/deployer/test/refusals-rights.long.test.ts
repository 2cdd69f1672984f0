import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { KubernetesClient } from '../src/kubernetes/client.ts'
import { openCluster } from '../src/kubernetes/cluster-access.ts'
import { agentOf, CREDENTIALS, failure } from './support/agents.ts'
import { requireEnv } from './support/deployer.ts'
import { startFullDeployer, type FullDeployer } from './support/full-deployer.ts'
import { testEachKind } from './support/refusal-tests.ts'
import { restrictedRights, type RestrictedRights } from './support/restricted-rights.ts'
import { FULL_SPEC, PLAIN_SPEC } from './support/specs.ts'

const open = new AsyncDisposableStack()
let rights: RestrictedRights
let stage: FullDeployer
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-rights-'))
  open.defer(() => rm(directory, { recursive: true, force: true }))
  const cluster = open.use(
    new KubernetesClient(await openCluster(requireEnv('KUBECONFIG')), 10_000),
  )
  rights = open.use(
    await restrictedRights(cluster, randomUUID().slice(0, 8), join(directory, 'kubeconfig')),
  )
  stage = await startFullDeployer(rights.env)
  open.use(stage.deployer)
})
afterAll(async () => {
  await open.disposeAsync()
})

describe('a kind that the deployer has no permissions for', () => {
  testEachKind(
    () => stage,
    async (_, { resource, group, namespace }) =>
      await rights.forbid({ resource, group, namespace, verbs: ['patch', 'create'] }),
    /^\w+\/[^:]*: Forbidden: .* is forbidden: User /,
  )
})

describe('a deployer without permissions', () => {
  test('to delete reports what it could not prune; a later deploy prunes it', async () => {
    const { deployer, owner } = stage
    const agent = agentOf(deployer, owner, 'unpruned')
    await agent.register('b1', FULL_SPEC)
    const credentials = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }
    const schedules = { schedules: { schedules: { nightly: '0 3 * * *' } } }
    const { k8sNamespace: namespace } = await agent.deploy(credentials, schedules)
    const allow = await rights.forbid({
      resource: 'cronjobs',
      group: 'batch',
      namespace,
      verbs: ['delete'],
    })
    await agent.register('b2', PLAIN_SPEC)
    const partial = await agent.deploy({})
    await allow()
    expect(partial).toMatchObject({
      status: DeployStatus.PARTIAL,
      errors: [expect.stringMatching(/^CronJob\/unpruned-ingestion-nightly: Forbidden: /)],
    })
    expect((await agent.revisions())[0]).toMatchObject({ state: RevisionState.PARTIAL })
    const repaired = await waitFor(
      async () => {
        const answer = await agent.deploy({})
        return answer.status === DeployStatus.SUCCESS ? answer : undefined
      },
      { what: 'the rights' },
    )
    expect(
      repaired.resources.filter(({ status }) => status === ResourceStatus.PRUNED),
    ).toMatchObject([{ kind: 'CronJob', name: 'unpruned-ingestion-nightly' }])
  })

  test('to bind its role in a new namespace creates nothing there', async () => {
    const { deployer, owner } = stage
    const agent = agentOf(deployer, owner, 'no-binding')
    await agent.register()
    const group = 'rbac.authorization.k8s.io'
    const allow = await rights.forbid({
      resource: 'rolebindings',
      group,
      namespace: 'default',
      verbs: ['patch', 'create'],
    })
    const refused = await failure(agent.deploy())
    const state = await agent.get()
    await allow()
    expect(refused).toMatchObject({ reason: 'namespace_refused' })
    expect(refused.message).toMatch(
      /^the cluster rejected the role binding .+ in [\w-]+: Forbidden: .* is forbidden: User /,
    )
    expect(state).toMatchObject({ revision: 0, reason: refused.message })
    const namespace = state?.k8sNamespace ?? ''
    for (const kind of ['Secret', 'Service', 'NetworkPolicy', 'Deployment']) {
      expect(await agent.list(kind, namespace)).toEqual([])
    }
    const repaired = await waitFor(() => agent.deploy(), { what: 'the rights' })
    expect(repaired).toMatchObject({ status: DeployStatus.SUCCESS })
  })
})
