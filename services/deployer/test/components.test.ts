import { ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { ServiceEndpointType } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { agentOf, contentOf, CREDENTIALS, failure, statusesOf } from './support/agents.ts'
import { outcomeOf, type Person, type TestDeployer } from './support/deployer.ts'
import { startFullDeployer } from './support/full-deployer.ts'
import { allowNo } from './support/quotas.ts'
import { FULL_CHOICES, FULL_CREDENTIALS, FULL_SPEC, PLAIN_SPEC } from './support/specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  ;({ deployer, owner } = await startFullDeployer())
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

describe('an agent with every kind of component', () => {
  test('has its objects, runs ingestions on demand, and prunes removed components', async () => {
    const agent = agentOf(deployer, owner, 'full')
    await agent.register('b1', FULL_SPEC)
    const answer = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
    expect(answer.errors).toEqual([])
    const { k8sNamespace: namespace } = answer
    expect(answer.serviceEndpoints.map(({ type }) => type)).toEqual([
      ServiceEndpointType.HTTP,
      ServiceEndpointType.WEBHOOK,
      ServiceEndpointType.WEB,
    ])
    const names = async (kind: string) =>
      (await agent.list(kind, namespace)).map(({ metadata }) => metadata.name)
    expect(await names('Deployment')).toEqual([
      'full-agent',
      'full-ingestion-hook',
      'full-messaging',
      'full-tool-calculator',
    ])
    expect(await names('StatefulSet')).toEqual(['full-knowledge-cache', 'full-knowledge-db'])
    expect(await names('CronJob')).toEqual(['full-ingestion-nightly'])
    expect(await names('Job')).toEqual(['full-ingestion-seed-r1'])
    expect(await names('Ingress')).toHaveLength(2)

    const runs = await Promise.all([
      agent.trigger(namespace, 'docs'),
      agent.trigger(namespace, 'docs'),
    ])
    expect(new Set(runs.map(({ jobName }) => jobName)).size).toBe(2)
    expect(await names('Job')).toEqual(expect.arrayContaining(runs.map(({ jobName }) => jobName)))
    expect(await outcomeOf(agent.trigger(namespace, 'nightly'))).toBe('ingestion_not_manual')
    expect(await outcomeOf(agent.trigger(namespace, 'nothing'))).toBe('ingestion_not_found')

    // A controller creates the claims some time later, and only while the stateful sets exist.
    await waitFor(async () => (await names('PersistentVolumeClaim')).length === 2, {
      what: 'the claims',
    })
    const again = await agent.deploy({})
    expect(again).toMatchObject({ revision: 1, errors: [] })
    expect(statusesOf(again)).toEqual(new Set([ResourceStatus.UNCHANGED]))

    await agent.register('b2', PLAIN_SPEC)
    const slim = await agent.deploy({}, { interfaces: { names: [] } })
    expect(slim.errors).toEqual([])
    const pruned = slim.resources
      .filter(({ status }) => status === ResourceStatus.PRUNED)
      .map(({ kind }) => kind)
    expect(new Set(pruned)).toEqual(
      new Set([
        'CronJob',
        'Deployment',
        'Ingress',
        'Job',
        'NetworkPolicy',
        'Service',
        'StatefulSet',
      ]),
    )
    expect(await names('Deployment')).toEqual(['full-agent'])
    // Their images don't exist, so the runs have not started, and the ingestion is gone.
    await waitFor(async () => (await names('Job')).length === 0, { what: 'the runs to be ended' })
    expect(await names('PersistentVolumeClaim')).toHaveLength(2)
    const passwords = contentOf(await agent.list('Secret', namespace)).filter((line) =>
      line.startsWith('password='),
    )
    expect(passwords).toHaveLength(1)
  })
})

describe('ValidateDeployment', () => {
  test('writes nothing, and with a dry run returns what the cluster would reject', async () => {
    const agent = agentOf(deployer, owner, 'validated')
    await agent.register()
    expect(await agent.validate()).toMatchObject({
      valid: true,
      buildId: 'b1',
      name: 'validated',
      warnings: [],
    })
    expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
    const { k8sNamespace } = await agent.deploy()
    // Until a quota is counted, the API server rejects requests with another message.
    await allowNo(deployer.cluster, 'secrets', k8sNamespace)
    const warned = await waitFor(
      async () => {
        const { warnings } = await agent.validate(
          { API_TOKEN: 'a-new-secret-value' },
          { dryRunServer: true },
        )
        return warnings.length > 0 ? warnings : undefined
      },
      { what: 'the quota to take effect' },
    )
    expect(warned).toEqual([expect.stringMatching(/^Secret\/validated-agent-.*exceeded quota/)])
    expect(await agent.revisions()).toHaveLength(1)
  })

  test('accepts overrides, keeps them, and rejects paths that are not editable', async () => {
    const agent = agentOf(deployer, owner, 'overridden')
    await agent.register()
    const { k8sNamespace } = await agent.deploy(CREDENTIALS, {
      overridesJson: '{"agent.replicas": 2}',
    })
    const replicas = async () =>
      (await agent.list('Deployment', k8sNamespace))[0]?.spec?.['replicas']
    expect(await replicas()).toBe(2)
    await agent.deploy({ API_TOKEN: 'second-secret-value' })
    expect(await replicas()).toBe(2)
    const wrong = await failure(
      agent.deploy({}, { overridesJson: '{"agent.image": "x", "agent.replicas": -1}' }),
    )
    expect(wrong.reason).toBe('validation_failed')
    expect(wrong.violations.map(({ field }) => field)).toEqual([
      'overrides.agent.image',
      'overrides.agent.replicas',
    ])
    expect(await outcomeOf(agent.deploy({}, { overridesJson: '[]' }))).toBe('invalid_argument')
  })
})

describe('a component whose storage changes', () => {
  test('is replaced where needed, and keeps its claim', async () => {
    const agent = agentOf(deployer, owner, 'stored')
    await agent.register('b1', FULL_SPEC)
    const { k8sNamespace } = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
    const claims = async () =>
      (await agent.list('PersistentVolumeClaim', k8sNamespace)).map(
        ({ metadata: { name, uid } }) => [name, uid],
      )
    await waitFor(async () => (await claims()).length === 2, { what: 'the claims' })
    const before = await claims()
    const larger = await agent.deploy(
      {},
      { overridesJson: '{"knowledge.cache.storage.size": "20Gi"}' },
    )
    // The local cluster's default storage class doesn't allow expansion.
    expect(larger.errors).toEqual([
      expect.stringMatching(
        /^PersistentVolumeClaim\/data-stored-knowledge-cache-0: the volume stays at /,
      ),
    ])
    expect(larger.resources.find(({ name }) => name === 'stored-knowledge-cache')).toBeDefined()
    const sets = await agent.list('StatefulSet', k8sNamespace)
    expect(
      JSON.stringify(sets.find(({ metadata }) => metadata.name === 'stored-knowledge-cache')),
    ).toContain('20Gi')
    expect(await claims()).toEqual(before)
    const volatile = await agent.deploy(
      {},
      { overridesJson: '{"knowledge.cache.persistent": false}' },
    )
    expect(volatile.errors).toEqual([])
    const names = (await agent.list('Deployment', k8sNamespace)).map(
      ({ metadata }) => metadata.name,
    )
    expect(names).toContain('stored-knowledge-cache')
    const services = await agent.list('Service', k8sNamespace)
    const cache = services.find(({ metadata }) => metadata.name === 'stored-knowledge-cache')
    expect(cache?.spec?.['clusterIP']).not.toBe('None')
    expect(await claims()).toEqual(before)
    const persistent = await agent.deploy(
      {},
      { overridesJson: '{"knowledge.cache.persistent": true}' },
    )
    expect(persistent.errors).toEqual([])
  })
})
