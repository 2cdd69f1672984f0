import {
  DeploymentState,
  DeployStatus,
  ResourceStatus,
  RevisionState,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/shared/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, contentOf, CREDENTIALS, failure, statusesOf } from './agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './deployer.ts'
import { FULL_SPEC, PLAIN_SPEC } from './specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer({
    MESSAGING_IMAGE: 'registry.example/messaging:1',
    MESSAGING_ADAPTERS: 'web,slack',
    INGRESS_DOMAIN: 'agents.example',
  })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

describe('state', () => {
  test('is told by component, and lists what is live', async () => {
    const agent = agentOf(deployer, owner, 'stated')
    await agent.register()
    const answer = await agent.deploy()
    const seen = await waitFor(
      async () => {
        const state = await agent.get()
        return state?.components.some(({ pods }) => pods.length > 0) ? state : undefined
      },
      { what: 'the pod to be seen' },
    )
    expect(seen).toMatchObject({
      name: 'stated',
      revision: 1,
      buildId: 'b1',
      sourceAccount: '',
      k8sNamespace: answer.k8sNamespace,
      deployedBy: owner.userId,
      components: [{ name: 'agent', kind: 'agent' }],
      serviceEndpoints: [{ name: 'agent-http', type: 'http' }],
    })
    const { deployments } = await deployer.deployments.listDeployments({ account: owner.account }, owner.options)
    expect(deployments.find(({ name }) => name === 'stated')).toMatchObject({ components: [{ pods: [] }] })
    await agent.undeploy()
    expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
  })

  test('pages lists', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) {
      const agent = agentOf(deployer, owner, name)
      await agent.register()
      await agent.deploy()
    }
    const names: string[] = []
    for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
      const page = await deployer.deployments.listDeployments(
        { account: owner.account, pageSize: 2, pageToken },
        owner.options,
      )
      names.push(...page.deployments.map(({ name }) => name))
      pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken
    }
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(['page-a', 'page-b', 'page-c']))
  })
})

describe('revisions', () => {
  test('are made by changes only, and a rollback brings the former values back', async () => {
    const agent = agentOf(deployer, owner, 'rolled')
    await agent.register()
    const { k8sNamespace } = await agent.deploy()
    await agent.deploy({ API_TOKEN: 'second-secret-value' })
    await agent.deploy({})
    const back = await agent.rollback()
    expect(back.result).toMatchObject({ status: DeployStatus.SUCCESS, revision: 3, buildId: 'b1' })
    expect(await agent.revisions()).toMatchObject([
      { revision: 3, state: RevisionState.APPLIED, rolledBackTo: 1, live: true, restorable: false },
      { revision: 2, state: RevisionState.SUPERSEDED, live: false, restorable: true },
      { revision: 1, state: RevisionState.SUPERSEDED, live: false, restorable: true },
    ])
    const [deployment] = await agent.list('Deployment', k8sNamespace)
    const secrets = await agent.list('Secret', k8sNamespace)
    const used = secrets.filter(({ metadata }) => JSON.stringify(deployment).includes(metadata.name))
    expect(contentOf(used)).toEqual(expect.arrayContaining(['API_TOKEN=first-secret-value']))
    expect(await outcomeOf(agent.rollback({ revision: 99 }))).toBe('revision_not_found')
    const forth = await agent.rollback({ revision: 2 })
    expect(forth.result).toMatchObject({ status: DeployStatus.SUCCESS, revision: 4 })
  })

  test('can not be restored when their Secrets are gone', async () => {
    const agent = agentOf(deployer, owner, 'unrestorable')
    await agent.register()
    const { k8sNamespace: namespace } = await agent.deploy()
    const [first] = (await agent.list('Secret', namespace)).filter(({ data }) => data?.['API_TOKEN'])
    await agent.deploy({ API_TOKEN: 'second-secret-value' })
    await deleteObject(deployer.cluster, {
      apiVersion: 'v1',
      kind: 'Secret',
      namespace,
      name: first?.metadata.name ?? '',
    })
    expect(await outcomeOf(agent.rollback())).toBe('revision_not_restorable')
  })

  test('keep the Secrets of the last three', async () => {
    const agent = agentOf(deployer, owner, 'pruned')
    await agent.register()
    const { k8sNamespace } = await agent.deploy()
    for (const number of [2, 3, 4, 5]) await agent.deploy({ API_TOKEN: `secret-value-${number}` })
    const tokens = contentOf(await agent.list('Secret', k8sNamespace)).filter((line) => line.startsWith('API_TOKEN'))
    expect(tokens).toEqual(['API_TOKEN=secret-value-3', 'API_TOKEN=secret-value-4', 'API_TOKEN=secret-value-5'])
  })
})

describe('the event stream', () => {
  test('tells how it stands, then what happens, to the end', async () => {
    const agent = agentOf(deployer, owner, 'watched')
    await agent.register()
    await agent.deploy()
    const ended = new AbortController()
    const types: string[] = []
    const reading = (async () => {
      for await (const event of agent.watch(ended.signal)) types.push(event.type)
    })()
    await waitFor(() => types.includes('snapshot'), { what: 'the first message' })
    await agent.deploy({ API_TOKEN: 'second-secret-value' })
    await agent.undeploy()
    await reading
    const told = types.filter((type) => type !== 'state_changed')
    expect(told).toEqual(['snapshot', 'requested', 'applied', 'undeploy_requested', 'undeployed'])
  })
})

describe('the ingest token', () => {
  test('is replaced with its Secret, and only the agent is started again', async () => {
    const agent = agentOf(deployer, owner, 'rotated')
    await agent.register('b1', FULL_SPEC)
    const credentials = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }
    const schedules = { schedules: { schedules: { nightly: '0 3 * * *' } } }
    const { k8sNamespace } = await agent.deploy(credentials, schedules)
    const tokens = async () =>
      contentOf(await agent.list('Secret', k8sNamespace)).filter((line) => line.startsWith('OTEL_EXPORTER'))
    const templates = async () =>
      Object.fromEntries(
        [...(await agent.list('Deployment', k8sNamespace)), ...(await agent.list('StatefulSet', k8sNamespace))].map(
          ({ metadata, spec }) => [metadata.name, JSON.stringify(spec?.['template'])],
        ),
      )
    const [before] = await tokens()
    const templatesBefore = await templates()
    await agent.rotate()
    expect(await tokens()).toHaveLength(1)
    expect((await tokens())[0]).not.toBe(before)
    const templatesAfter = await templates()
    const changed = Object.keys(templatesAfter).filter((name) => templatesAfter[name] !== templatesBefore[name])
    expect(changed).toEqual(['rotated-agent'])
    expect(await agent.revisions()).toHaveLength(1)
  })
})

describe('a deployment of every kind of component', () => {
  test('has its objects, runs ingestions by hand, and prunes what goes', async () => {
    const agent = agentOf(deployer, owner, 'full')
    await agent.register('b1', FULL_SPEC)
    const credentials = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }
    const choice = { schedules: { schedules: { nightly: '0 3 * * *' } }, interfaces: { names: ['web'] } }
    const answer = await agent.deploy(credentials, choice)
    expect(answer.errors).toEqual([])
    const { k8sNamespace: namespace } = answer
    expect(answer.serviceEndpoints.map(({ type }) => type)).toEqual(['http', 'webhook', 'web'])
    const names = async (kind: string) => (await agent.list(kind, namespace)).map(({ metadata }) => metadata.name)
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

    const runs = await Promise.all([agent.trigger(namespace, 'docs'), agent.trigger(namespace, 'docs')])
    expect(new Set(runs.map(({ jobName }) => jobName)).size).toBe(2)
    expect(await names('Job')).toEqual(expect.arrayContaining(runs.map(({ jobName }) => jobName)))
    expect(await outcomeOf(agent.trigger(namespace, 'nightly'))).toBe('ingestion_not_manual')
    expect(await outcomeOf(agent.trigger(namespace, 'nothing'))).toBe('ingestion_not_found')

    const again = await agent.deploy({})
    expect(again).toMatchObject({ revision: 1, errors: [] })
    expect(statusesOf(again)).toEqual(new Set([ResourceStatus.UNCHANGED]))

    await agent.register('b2', PLAIN_SPEC)
    const slim = await agent.deploy({}, { interfaces: { names: [] } })
    expect(slim.errors).toEqual([])
    const pruned = slim.resources.filter(({ status }) => status === ResourceStatus.PRUNED).map(({ kind }) => kind)
    expect(new Set(pruned)).toEqual(new Set(['CronJob', 'Deployment', 'Ingress', 'Job', 'Service', 'StatefulSet']))
    expect(await names('Deployment')).toEqual(['full-agent'])
    expect(await names('Job')).toEqual(expect.arrayContaining(runs.map(({ jobName }) => jobName)))
    expect(await names('PersistentVolumeClaim')).toHaveLength(2)
    const passwords = contentOf(await agent.list('Secret', namespace)).filter((line) => line.startsWith('password='))
    expect(passwords).toHaveLength(1)
  })
})

describe('ValidateDeployment', () => {
  test('writes nothing, and with a dry run tells what the cluster would refuse', async () => {
    const agent = agentOf(deployer, owner, 'validated')
    await agent.register()
    expect(await agent.validate()).toMatchObject({ buildId: 'b1', name: 'validated', warnings: [] })
    expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
    const { k8sNamespace } = await agent.deploy()
    await deployer.cluster.send({
      method: 'POST',
      path: `/api/v1/namespaces/${k8sNamespace}/resourcequotas`,
      body: { metadata: { name: 'no-more' }, spec: { hard: { secrets: '0' } } },
    })
    const warned = await waitFor(
      async () => {
        const { warnings } = await agent.validate({ API_TOKEN: 'a-new-secret-value' }, { dryRunServer: true })
        return warnings.length > 0 ? warnings : undefined
      },
      { what: 'the quota to take effect' },
    )
    expect(warned).toEqual([expect.stringMatching(/^Secret\/validated-agent-.*exceeded quota/)])
    expect(await agent.revisions()).toHaveLength(1)
  })

  test('takes overrides, keeps them, and refuses what is not editable', async () => {
    const agent = agentOf(deployer, owner, 'overridden')
    await agent.register()
    const { k8sNamespace } = await agent.deploy(CREDENTIALS, { overridesJson: '{"agent.replicas": 2}' })
    const replicas = async () => (await agent.list('Deployment', k8sNamespace))[0]?.spec?.['replicas']
    expect(await replicas()).toBe(2)
    await agent.deploy({ API_TOKEN: 'second-secret-value' })
    expect(await replicas()).toBe(2)
    const wrong = await failure(agent.deploy({}, { overridesJson: '{"agent.image": "x", "agent.replicas": -1}' }))
    expect(wrong.reason).toBe('validation_failed')
    expect(wrong.violations.map(({ field }) => field)).toEqual(['overrides.agent.image', 'overrides.agent.replicas'])
    expect(await outcomeOf(agent.deploy({}, { overridesJson: '[]' }))).toBe('invalid_argument')
  })
})

describe('deploying from another account', () => {
  test('takes what is published, keeps its own state, and shows the source nothing', async () => {
    const source = agentOf(deployer, owner, 'shared')
    await source.register('b1')
    const other = await deployer.signIn('other')
    const target = {
      account: other.account,
      name: 'shared',
      sourceAccount: owner.account,
      userCredentials: CREDENTIALS,
    }
    const deployOther = () => deployer.deployments.deploy({ target }, other.options)
    expect(await outcomeOf(deployOther())).toBe('no_builds')
    await source.publish('b1', '1.0.0')
    await source.register('b2')
    const answer = await deployOther()
    expect(answer).toMatchObject({ status: DeployStatus.SUCCESS, buildId: 'b1' })
    const { deployment } = await deployer.deployments.getDeployment(
      { account: other.account, name: 'shared' },
      other.options,
    )
    expect(deployment).toMatchObject({ sourceAccount: owner.account, state: DeploymentState.PROGRESSING })
    expect(await outcomeOf(source.get())).toBe('deployment_not_found')
    const own = { account: other.account, name: 'shared', userCredentials: CREDENTIALS }
    const register = { ...own, buildId: 'o1', registry: 'oci://registry.example', specContent: PLAIN_SPEC }
    await deployer.agents.registerBuild(register, other.options)
    expect(await outcomeOf(deployer.deployments.deploy({ target: own }, other.options))).toBe(
      'deployed_from_other_source',
    )
  })
})

describe('an idempotency key', () => {
  test('gets the first answer again, also for a deploy and a trigger, and no second run', async () => {
    const agent = agentOf(deployer, owner, 'keyed')
    await agent.register('b1', FULL_SPEC)
    const credentials = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }
    const { k8sNamespace: namespace } = await agent.deploy(credentials, {
      schedules: { schedules: { nightly: '0 3 * * *' } },
    })
    const headers = new Headers(owner.options.headers)
    headers.set('x-idempotency-key', 'key-1')
    headers.set('x-idempotency-fingerprint', 'print-1')
    const trigger = (options = { headers }) =>
      deployer.workloads.triggerIngestion({ account: owner.account, namespace, ingestion: 'docs' }, options)
    const first = await trigger()
    expect(await trigger()).toEqual(first)
    const other = new Headers(headers)
    other.set('x-idempotency-fingerprint', 'print-2')
    expect(await outcomeOf(trigger({ headers: other }))).toBe('idempotency_key_reused')
    const jobs = (await agent.list('Job', namespace)).filter(({ metadata }) => metadata.name === first.jobName)
    expect(jobs).toHaveLength(1)
  })
})

describe('a component whose kind of storage changes', () => {
  test('is made anew where that is needed, and keeps its claim', async () => {
    const agent = agentOf(deployer, owner, 'stored')
    await agent.register('b1', FULL_SPEC)
    const credentials = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }
    const schedules = { schedules: { schedules: { nightly: '0 3 * * *' } } }
    const { k8sNamespace } = await agent.deploy(credentials, schedules)
    const claims = async () =>
      (await agent.list('PersistentVolumeClaim', k8sNamespace)).map(({ metadata: { name, uid } }) => [name, uid])
    await waitFor(async () => (await claims()).length === 2, { what: 'the claims' })
    const before = await claims()
    const larger = await agent.deploy({}, { overridesJson: '{"knowledge.cache.storage.size": "20Gi"}' })
    expect(larger.errors).toEqual([])
    expect(larger.resources.find(({ name }) => name === 'stored-knowledge-cache')).toBeDefined()
    const sets = await agent.list('StatefulSet', k8sNamespace)
    expect(JSON.stringify(sets.find(({ metadata }) => metadata.name === 'stored-knowledge-cache'))).toContain('20Gi')
    expect(await claims()).toEqual(before)
    const volatile = await agent.deploy({}, { overridesJson: '{"knowledge.cache.persistent": false}' })
    expect(volatile.errors).toEqual([])
    const names = (await agent.list('Deployment', k8sNamespace)).map(({ metadata }) => metadata.name)
    expect(names).toContain('stored-knowledge-cache')
    const services = await agent.list('Service', k8sNamespace)
    const cache = services.find(({ metadata }) => metadata.name === 'stored-knowledge-cache')
    expect(cache?.spec?.['clusterIP']).not.toBe('None')
    expect(await claims()).toEqual(before)
    const persistent = await agent.deploy({}, { overridesJson: '{"knowledge.cache.persistent": true}' })
    expect(persistent.errors).toEqual([])
  })
})

describe('many identical deploys at once', () => {
  test('make one revision', async () => {
    const agent = agentOf(deployer, owner, 'crowded')
    await agent.register()
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.deploy()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([DeployStatus.SUCCESS]))
    expect(answers.filter((answer) => statusesOf(answer).has(ResourceStatus.CREATED))).toHaveLength(1)
    expect(await agent.revisions()).toHaveLength(1)
  })
})
