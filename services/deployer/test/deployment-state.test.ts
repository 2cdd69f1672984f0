import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import {
  ComponentKind,
  DeploymentState,
  ServiceEndpointType,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, contentOf, CREDENTIALS, statusesOf } from './support/agents.ts'
import { outcomeOf, type Person, type TestDeployer } from './support/deployer.ts'
import { startStage } from './support/refusable-kinds.ts'
import { FULL_SPEC, PLAIN_SPEC } from './support/specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  // Of twenty at once the last waits for nineteen.
  ;({ deployer, owner } = await startStage({ LOCK_WAIT_MS: '200000' }))
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
      components: [{ name: 'agent', kind: ComponentKind.AGENT }],
      serviceEndpoints: [{ name: 'agent-http', type: ServiceEndpointType.HTTP }],
    })
    const { deployments } = await deployer.deployments.listDeployments(
      { account: owner.account },
      owner.options,
    )
    expect(deployments.find(({ name }) => name === 'stated')).toMatchObject({
      components: [{ pods: [] }],
    })
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
    expect(back).toMatchObject({ status: DeployStatus.SUCCESS, revision: 3, buildId: 'b1' })
    expect(await agent.revisions()).toMatchObject([
      { revision: 3, state: RevisionState.APPLIED, rolledBackTo: 1, live: true, restorable: false },
      { revision: 2, state: RevisionState.SUPERSEDED, live: false, restorable: true },
      { revision: 1, state: RevisionState.SUPERSEDED, live: false, restorable: true },
    ])
    const [deployment] = await agent.list('Deployment', k8sNamespace)
    const secrets = await agent.list('Secret', k8sNamespace)
    const used = secrets.filter(({ metadata }) =>
      JSON.stringify(deployment).includes(metadata.name),
    )
    expect(contentOf(used)).toEqual(expect.arrayContaining(['API_TOKEN=first-secret-value']))
    expect(await outcomeOf(agent.rollback({ revision: 99 }))).toBe('revision_not_found')
    const forth = await agent.rollback({ revision: 2 })
    expect(forth).toMatchObject({ status: DeployStatus.SUCCESS, revision: 4 })
  })

  test('can not be restored when their Secrets are gone', async () => {
    const agent = agentOf(deployer, owner, 'unrestorable')
    await agent.register()
    const { k8sNamespace: namespace } = await agent.deploy()
    const [first] = (await agent.list('Secret', namespace)).filter(
      ({ data }) => data?.['API_TOKEN'],
    )
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
    const tokens = contentOf(await agent.list('Secret', k8sNamespace)).filter((line) =>
      line.startsWith('API_TOKEN'),
    )
    expect(tokens).toEqual([
      'API_TOKEN=secret-value-3',
      'API_TOKEN=secret-value-4',
      'API_TOKEN=secret-value-5',
    ])
  })
})

describe('the event stream', () => {
  test('tells how it stands, then what happens, to the end', async () => {
    const agent = agentOf(deployer, owner, 'watched')
    await agent.register()
    await agent.deploy()
    const ended = new AbortController()
    const types: DeploymentEventType[] = []
    const reading = (async () => {
      for await (const event of agent.watch(ended.signal)) types.push(event.type)
    })()
    await waitFor(() => types.includes(DeploymentEventType.SNAPSHOT), { what: 'the first message' })
    await agent.deploy({ API_TOKEN: 'second-secret-value' })
    await agent.undeploy()
    await reading
    const told = types.filter((type) => type !== DeploymentEventType.STATE_CHANGED)
    expect(told).toEqual([
      DeploymentEventType.SNAPSHOT,
      DeploymentEventType.REQUESTED,
      DeploymentEventType.APPLIED,
      DeploymentEventType.UNDEPLOY_REQUESTED,
      DeploymentEventType.UNDEPLOYED,
    ])
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
      contentOf(await agent.list('Secret', k8sNamespace)).filter((line) =>
        line.startsWith('OTEL_EXPORTER'),
      )
    const templates = async () =>
      Object.fromEntries(
        [
          ...(await agent.list('Deployment', k8sNamespace)),
          ...(await agent.list('StatefulSet', k8sNamespace)),
        ].map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec?.['template'])]),
      )
    const [before] = await tokens()
    const templatesBefore = await templates()
    await agent.rotate()
    expect(await tokens()).toHaveLength(1)
    expect((await tokens())[0]).not.toBe(before)
    const templatesAfter = await templates()
    const changed = Object.keys(templatesAfter).filter(
      (name) => templatesAfter[name] !== templatesBefore[name],
    )
    expect(changed).toEqual(['rotated-agent'])
    expect(await agent.revisions()).toHaveLength(1)
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
    const { result } = await deployOther()
    expect(result).toMatchObject({ status: DeployStatus.SUCCESS, buildId: 'b1' })
    const { deployment } = await deployer.deployments.getDeployment(
      { account: other.account, name: 'shared' },
      other.options,
    )
    expect(deployment).toMatchObject({ sourceAccount: owner.account })
    // Its image is nowhere, which the cluster may have told by now.
    expect([DeploymentState.PROGRESSING, DeploymentState.FAILED]).toContain(deployment?.state)
    expect(await outcomeOf(source.get())).toBe('deployment_not_found')
    const own = { account: other.account, name: 'shared', userCredentials: CREDENTIALS }
    const register = {
      ...own,
      buildId: 'o1',
      registry: 'oci://registry.example',
      specContent: PLAIN_SPEC,
    }
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

describe('many identical deploys at once', () => {
  test('make one revision', async () => {
    const agent = agentOf(deployer, owner, 'crowded')
    await agent.register()
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.deploy()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([DeployStatus.SUCCESS]))
    expect(answers.filter((answer) => statusesOf(answer).has(ResourceStatus.CREATED))).toHaveLength(
      1,
    )
    expect(await agent.revisions()).toHaveLength(1)
  })
})
