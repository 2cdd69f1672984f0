import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { isKubernetesStatus } from '../src/kubernetes/kubernetes-error.ts'
import { readObject } from '../src/kubernetes/read.ts'
import { labelNamespace, refuse, untilRefused, type AdmissionPolicy } from './support/admission.ts'
import { agentOf, failure } from './support/agents.ts'
import { startFullDeployer, type FullDeployer } from './support/full-deployer.ts'
import { KINDS, untilObstructed } from './support/refusable-kinds.ts'
import { testEachKind } from './support/refusal-tests.ts'

const REFUSE_LABEL = 'test.slipway.dev/refuse'

let stage: FullDeployer
let policy: AdmissionPolicy
beforeAll(async () => {
  stage = await startFullDeployer()
  const { deployer, owner } = stage
  policy = await refuse(deployer.cluster, {
    name: `refuse-${owner.accountId}`,
    resources: KINDS.map(([, resource]) => resource),
    namespaceSelector: {
      matchLabels: { 'slipway.dev/account-id': owner.accountId },
      matchExpressions: [{ key: REFUSE_LABEL, operator: 'Exists' }],
    },
    expression: `object.kind != namespaceObject.metadata.labels['${REFUSE_LABEL}']`,
    // A careless policy: it quotes the secret value that it rejects.
    messageExpression:
      `'refused: ' + (object.kind == 'Secret' && has(object.data) && ` +
      `'API_TOKEN' in object.data ? string(object.data['API_TOKEN']) : object.kind)`,
  })
})
afterAll(async () => {
  await policy[Symbol.asyncDispose]()
  await stage.deployer[Symbol.asyncDispose]()
})

describe('a kind that an admission policy rejects', () => {
  testEachKind(
    () => stage,
    async (at, refused) => {
      const { cluster } = at.deployer
      const { kind, namespace } = refused
      await labelNamespace(cluster, namespace, { [REFUSE_LABEL]: kind })
      await untilObstructed(at, refused, (error) => isKubernetesStatus(error, 422))
      return async () => await labelNamespace(cluster, namespace, { [REFUSE_LABEL]: null })
    },
    /refused: /,
  )
})

describe('a namespace that an admission policy rejects', () => {
  test('fails the deploy before any other object is applied', async () => {
    const { deployer, owner } = stage
    const agent = agentOf(deployer, owner, 'refusedns')
    await agent.register()
    const rule = {
      name: `refuse-namespace-${owner.accountId}`,
      resources: ['namespaces'],
      expression:
        `!('slipway.dev/agent' in object.metadata.?labels.orValue({}) && ` +
        `object.metadata.labels['slipway.dev/agent'] == 'refusedns')`,
    }
    {
      await using _ = await refuse(deployer.cluster, rule)
      await untilRefused(deployer.cluster, '/api/v1/namespaces?dryRun=All', {
        metadata: { name: 'probe', labels: { 'slipway.dev/agent': 'refusedns' } },
      })
      const refused = await failure(agent.deploy())
      expect(refused).toMatchObject({ reason: 'namespace_refused' })
      expect(refused.message).toMatch(
        new RegExp(
          `^the cluster rejected the namespace [\\w-]+: Invalid: .*ValidatingAdmissionPolicy '` +
            `${rule.name}' .* Ask an operator of the cluster to allow it, then try again$`,
        ),
      )
      expect((await agent.revisions())[0]).toMatchObject({
        state: RevisionState.FAILED,
        live: false,
      })
      const state = await agent.get()
      expect(state).toMatchObject({ revision: 0, reason: refused.message })
      const key = {
        apiVersion: 'v1',
        kind: 'Namespace',
        namespace: '',
        name: state?.k8sNamespace ?? '',
      }
      expect(await readObject(deployer.cluster, key)).toBeUndefined()
    }
    const deployed = await waitFor(() => agent.deploy(), { what: 'the policy to lose its effect' })
    expect(deployed).toMatchObject({ status: DeployStatus.SUCCESS })

    // A failed deploy doesn't change which objects belong to the live revision: the state of the
    // deployment is that of its workloads.
    const workloads = () =>
      deployer.db
        .selectFrom('cluster_object')
        .innerJoin('deployment', 'deployment.id', 'cluster_object.deployment_id')
        .select(['cluster_object.revision', 'deployment.live_revision'])
        .where('agent', '=', 'refusedns')
        .where('kind', '=', 'Deployment')
        .execute()
    const before = await workloads()
    const { revision } = deployed
    expect(before).toEqual([{ revision, live_revision: revision }])
    await using _ = await refuse(deployer.cluster, { ...rule, name: `${rule.name}-again` })
    await untilRefused(deployer.cluster, '/api/v1/namespaces?dryRun=All', {
      metadata: { name: 'probe', labels: { 'slipway.dev/agent': 'refusedns' } },
    })
    await failure(agent.deploy({ API_TOKEN: 'another-value' }))
    expect(await workloads()).toEqual(before)
  })
})
