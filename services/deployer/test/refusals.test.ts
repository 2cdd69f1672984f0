import { DeployStatus, ResourceStatus, RevisionState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/shared/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { labelNamespace, refuse, untilRefused, type AdmissionPolicy } from './admission.ts'
import { agentOf, CREDENTIALS, failure } from './agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './deployer.ts'
import { FULL_SPEC } from './specs.ts'

const REFUSE_LABEL = 'test.slipway.dev/refuse'
const ALL = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }

const KINDS = [
  ['ConfigMap', 'configmaps'],
  ['CronJob', 'cronjobs'],
  ['Deployment', 'deployments'],
  ['Ingress', 'ingresses'],
  ['Job', 'jobs'],
  ['NetworkPolicy', 'networkpolicies'],
  ['Secret', 'secrets'],
  ['Service', 'services'],
  ['ServiceAccount', 'serviceaccounts'],
  ['StatefulSet', 'statefulsets'],
] as const

let deployer: TestDeployer
let owner: Person
let policy: AdmissionPolicy
beforeAll(async () => {
  deployer = await startTestDeployer({
    MESSAGING_IMAGE: 'registry.example/messaging:1',
    MESSAGING_ADAPTERS: 'web,slack',
    INGRESS_DOMAIN: 'agents.example',
  })
  owner = await deployer.signIn('owner')
  policy = await refuse(deployer.cluster, {
    name: `refuse-${owner.accountId}`,
    resources: KINDS.map(([, resource]) => resource),
    namespaceSelector: {
      matchLabels: { 'slipway.dev/account-id': owner.accountId },
      matchExpressions: [{ key: REFUSE_LABEL, operator: 'Exists' }],
    },
    expression: `object.kind != namespaceObject.metadata.labels['${REFUSE_LABEL}']`,
    // As careless as a policy can be: it quotes what it refuses.
    messageExpression: `'refused: ' + (object.kind == 'Secret' && has(object.data) && 'API_TOKEN' in object.data ? string(object.data['API_TOKEN']) : object.kind)`,
  })
})
afterAll(async () => {
  await policy[Symbol.asyncDispose]()
  await deployer[Symbol.asyncDispose]()
})

const choice = (build: string) => ({
  schedules: { schedules: { nightly: '0 3 * * *' } },
  interfaces: { names: ['web'] },
  overridesJson: JSON.stringify({ 'agent.environment.BUILD': build, 'tools.calculator.environment.BUILD': build }),
})

describe('each kind refused in turn by the API server', () => {
  test.each(KINDS)('%s', async (kind) => {
    const agent = agentOf(deployer, owner, `refused-${kind.toLowerCase()}`)
    await agent.register('b1', FULL_SPEC)
    const { k8sNamespace } = await agent.deploy(ALL, choice('b1'))
    await labelNamespace(deployer.cluster, k8sNamespace, { [REFUSE_LABEL]: kind })
    await agent.register('b2', FULL_SPEC)
    const credentials = { API_TOKEN: 'another-secret-value' }
    const partial = await waitFor(
      async () => {
        const answer = await agent.deploy(kind === 'Secret' ? { ...ALL, ...credentials } : credentials, choice('b2'))
        return answer.status === DeployStatus.PARTIAL ? answer : undefined
      },
      { what: 'the policy to take effect' },
    )
    const failed = partial.resources.filter(({ status }) => status === ResourceStatus.FAILED)
    expect(new Set(failed.map((resource) => resource.kind))).toEqual(new Set([kind]))
    expect(partial.errors).toHaveLength(failed.length)
    expect(partial.errors).toEqual(partial.errors.toSorted())
    for (const error of partial.errors) {
      expect(error).toMatch(new RegExp(`^${kind}/.*refused: `))
      expect(error).not.toContain('another-secret-value')
      expect(error).not.toContain(Buffer.from('another-secret-value').toString('base64'))
    }
    expect((await agent.revisions())[0]).toMatchObject({ state: RevisionState.PARTIAL, errors: partial.errors })

    await labelNamespace(deployer.cluster, k8sNamespace, { [REFUSE_LABEL]: null })
    // Only a Secret takes something with it that the next deploy must bring again.
    const without = await outcomeOf(agent.deploy({}, choice('b2')))
    expect(without).toBe(kind === 'Secret' ? 'credentials_lost' : 'won')
    const healed = await waitFor(
      async () => {
        const answer = await agent.deploy(kind === 'Secret' ? { ...ALL, ...credentials } : {}, choice('b2'))
        return answer.status === DeployStatus.SUCCESS ? answer : undefined
      },
      { what: 'the policy to lose its effect' },
    )
    expect(healed.revision).toBe(partial.revision)
    expect((await agent.revisions())[0]).toMatchObject({ state: RevisionState.APPLIED, errors: [] })
  })
})

describe('a namespace that is refused', () => {
  test('fails the deploy, and nothing else is tried', async () => {
    const agent = agentOf(deployer, owner, 'refusedns')
    await agent.register()
    const rule = {
      name: `refuse-namespace-${owner.accountId}`,
      resources: ['namespaces'],
      expression: `!('slipway.dev/agent' in object.metadata.?labels.orValue({}) && object.metadata.labels['slipway.dev/agent'] == 'refusedns')`,
    }
    {
      await using _ = await refuse(deployer.cluster, rule)
      await untilRefused(deployer.cluster, '/api/v1/namespaces?dryRun=All', {
        metadata: { name: 'probe', labels: { 'slipway.dev/agent': 'refusedns' } },
      })
      expect((await failure(agent.deploy())).message).toBe('internal error')
      expect((await agent.revisions())[0]).toMatchObject({ state: RevisionState.FAILED, live: false })
      expect(await agent.get()).toMatchObject({ revision: 0, reason: 'the namespace could not be made' })
    }
    const healed = await waitFor(() => agent.deploy(), { what: 'the policy to lose its effect' })
    expect(healed).toMatchObject({ status: DeployStatus.SUCCESS })
  })
})
