import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, request, type User } from '../support/api.ts'
import { callService, find, readyPods } from '../support/cluster.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

// Alice publishes an agent. Mallory deploys it into his own account, which she can't see.
const NAME = 'lent-agent'
let source: RegisteredAgent
let account: string
let namespace: string
let pod: string
let configMap: string

const target = () => ({
  account,
  name: NAME,
  source_account: source.account,
  user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
})
const deploy = (body: object) => request('POST', '/deploy', { as: 'mallory', body })
const deployment = (of: string, as: User, path = '') =>
  request('GET', `/agents/${of}/${NAME}/deployment${path}`, { as })
const isReady = async () => (await deployment(account, 'mallory')).body.state === 'ready'
const untilReady = () =>
  waitFor(isReady, { what: 'the agent to run', timeoutMs: 200_000, intervalMs: 200 })

beforeAll(async () => {
  source = await registerSupportAgent(NAME)
  await registerSupportAgent(`${NAME}-unpublished`)
  account = await personalAccount('mallory')
})
afterAll(async () => {
  await undeploy({ ...source, account }, 'mallory')
})

describe('an agent of another account', () => {
  test('can be deployed once it is published, and then its published build', async () => {
    const path = `/agents/${source.account}/${NAME}`
    const early = await deploy({
      ...target(),
      source_account: source.account,
      name: `${NAME}-unpublished`,
    })
    expect([early.status, early.body.code]).toEqual([404, 'no_builds'])
    const published = await request('POST', `${path}/publish`, {
      as: 'alice',
      body: { build_id: source.buildId, version: '1.0.0' },
    })
    expect(published.status).toBe(201)
    const later = {
      build_id: `later-${Date.now()}`,
      registry: 'oci://registry.example',
      spec_content: source.spec,
    }
    expect((await request('POST', `${path}/register`, { as: 'alice', body: later })).status).toBe(
      201,
    )

    const { status, body } = await deploy(target())
    expect([status, body.build_id, body.errors]).toEqual([200, source.buildId, []])
    namespace = body.k8s_namespace
    configMap = body.resources.find(({ kind }: { kind: string }) => kind === 'ConfigMap').name
    await untilReady()
    pod = (await readyPods(namespace))[0]?.metadata.name ?? ''
    // Without `source_account` the agent is looked up in the deploying account.
    const own = await deploy({ account, name: NAME })
    expect([own.status, own.body.code]).toEqual([404, 'no_builds'])
  })

  test('has state, log, config map, ingestion and pods in the deploying account', async () => {
    const { body } = await deployment(account, 'mallory')
    expect(body).toMatchObject({
      state: 'ready',
      source_account: source.account,
      k8s_namespace: namespace,
    })
    const list = await request('GET', `/deployments?account=${account}`, { as: 'mallory' })
    expect(list.body.deployments).toContainEqual(
      expect.objectContaining({ name: NAME, source_account: source.account }),
    )
    const revisions = await deployment(account, 'mallory', '/revisions')
    expect(revisions.body.revisions[0]).toMatchObject({
      build_id: source.buildId,
      version: '1.0.0',
      live: true,
    })
    const inNamespace = `/deployments/${namespace}`
    const logs = await request('GET', `${inNamespace}/logs?account=${account}&pod=${pod}`, {
      as: 'mallory',
    })
    expect([logs.status, logs.text]).toEqual([200, expect.stringContaining('agent_started')])
    const map = await request('GET', `${inNamespace}/configmap/${configMap}?account=${account}`, {
      as: 'mallory',
    })
    expect([map.status, map.body.data['ASTRO_AGENT_NAME']]).toEqual([200, NAME])
    const job = await request('POST', `${inNamespace}/ingestion/docs/trigger?account=${account}`, {
      as: 'mallory',
    })
    expect(job.body).toMatchObject({ status: 'triggered', namespace })
    expect(
      await find(`/apis/batch/v1/namespaces/${namespace}/jobs/${job.body.job_name}`),
    ).toBeDefined()
  })

  test('sends its traces to the deploying account', async () => {
    await callService(namespace, `${NAME}-agent`, 8080, '/chat', {
      message: 'How do I share a folder?',
    })
    const traces = `/observability/traces`
    const total = async (of: string, as: User) =>
      (await request('GET', `/agents/${of}/${NAME}${traces}`, { as })).body.total as number
    await waitFor(async () => (await total(account, 'mallory')) > 0, { what: 'the trace' })
    expect(await total(source.account, 'alice')).toBe(0)
    expect(
      (await request('GET', `/agents/${account}/${NAME}${traces}`, { as: 'alice' })).status,
    ).toBe(403)
  })

  test('is invisible to the account that it comes from', async () => {
    const listed = await request('GET', `/deployments?account=${source.account}`, { as: 'alice' })
    expect(listed.text).not.toContain(NAME)
    for (const path of ['', '/revisions', '/events']) {
      const own = await deployment(source.account, 'alice', path)
      expect([path, own.status, own.body.code]).toEqual([path, 404, 'deployment_not_found'])
      expect([path, (await deployment(account, 'alice', path)).status]).toEqual([path, 403])
    }
    const detail = await request('GET', `/agents/${source.account}/${NAME}`, { as: 'alice' })
    expect(detail.text).not.toContain(account)
    const inspections = [
      ['GET', `/logs?pod=${pod}`, 403],
      ['GET', `/configmap/${configMap}?`, 404],
      ['POST', `/pods/${pod}/restart?`, 403],
      ['POST', '/ingestion/docs/trigger?', 404],
    ] as const
    for (const [method, path, status] of inspections) {
      for (const [owner, expected] of [
        [source.account, status],
        [account, 403],
      ] as const) {
        const answer = await request(method, `/deployments/${namespace}${path}&account=${owner}`, {
          as: 'alice',
        })
        expect([path, owner, answer.status]).toEqual([path, owner, expected])
      }
    }
    for (const action of ['rollback', 'rotate-ingest-token']) {
      const path = `/agents/${source.account}/${NAME}/deployment/${action}`
      expect([action, (await request('POST', path, { as: 'alice' })).status]).toEqual([action, 404])
    }
    const removed = await request('POST', '/undeploy', {
      as: 'alice',
      body: { account: source.account, name: NAME },
    })
    expect([removed.status, removed.body.code]).toEqual([404, 'deployment_not_found'])
    expect((await readyPods(namespace)).map(({ metadata }) => metadata.name)).toContain(pod)
  })

  test('is rolled back and restarted, independently of a deployment in its source account', async ({
    annotate,
  }) => {
    const changed = await deploy({ ...target(), overrides: { 'agent.environment.GREETED': 'yes' } })
    expect([changed.status, changed.body.revision]).toEqual([200, 2])
    await untilReady()
    const startedAt = performance.now()
    const back = await request('POST', `/agents/${account}/${NAME}/deployment/rollback?wait=200`, {
      as: 'mallory',
    })
    // Reported, not asserted: it depends on the machine's load.
    const elapsedMs = Math.round(performance.now() - startedAt)
    await annotate(`rollback to the previous revision: ready after ${elapsedMs} ms`)
    expect([back.status, back.body.errors, back.body.rollout?.state]).toEqual([200, [], 'ready'])
    const [ready] = await readyPods(namespace)
    const path = `/deployments/${namespace}/pods/${ready?.metadata.name}/restart?account=${account}`
    expect((await request('POST', path, { as: 'mallory' })).status).toBe(200)

    const body = {
      account: source.account,
      name: NAME,
      user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
    }
    const atSource = await request('POST', '/deploy', { as: 'alice', body })
    expect(atSource.status).toBe(200)
    expect(atSource.body.k8s_namespace).not.toBe(namespace)
    expect((await request('POST', '/undeploy', { as: 'alice', body })).status).toBe(200)
    expect((await deployment(account, 'mallory')).status).toBe(200)
  })

  test('is undeployed', async () => {
    const answer = await request('POST', '/undeploy', {
      as: 'mallory',
      body: { account, name: NAME },
    })
    expect([answer.status, answer.body.k8s_namespace]).toEqual([200, namespace])
    const again = await request('POST', '/undeploy', {
      as: 'mallory',
      body: { account, name: NAME },
    })
    expect([again.status, again.body.code]).toEqual([404, 'deployment_not_found'])
  })
})
