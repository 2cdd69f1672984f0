import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { callService, cluster, find, list, readyPods, untilReplaced } from '../support/cluster.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'lifecycle-agent'
let agent: RegisteredAgent
let namespace: string

const deployBody = () => ({
  account: agent.account,
  name: NAME,
  user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
})

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
})

afterAll(async () => {
  await undeploy(agent)
})

describe('from a registered build to a pod that responds', () => {
  test('shows an unpublished build to members only', async () => {
    const path = `/agents/${agent.account}/${NAME}`
    expect((await request('GET', path)).status).toBe(404)
    expect((await request('GET', path, { as: 'mallory' })).status).toBe(404)
    const { status, body } = await request('GET', path, { as: 'alice' })
    expect(status).toBe(200)
    expect(body.versions[0]).toMatchObject({
      build_id: agent.buildId,
      readme: '# Support agent',
      validation_warnings: [],
    })
    expect(body.versions[0].spec.name).toBe(NAME)
  })

  test('shows a published build to everyone', async () => {
    const body = { build_id: agent.buildId, version: '1.0.0' }
    const published = await request('POST', `/agents/${agent.account}/${NAME}/publish`, {
      as: 'alice',
      body,
    })
    expect([published.status, published.body]).toEqual([
      201,
      { message: 'agent published', account: agent.account, name: NAME, ...body },
    ])
    const listed = await request('GET', '/agents')
    expect(listed.body.agents).toContainEqual(
      expect.objectContaining({
        account: agent.account,
        name: NAME,
        versions: [expect.objectContaining({ build_id: agent.buildId, version: '1.0.0' })],
      }),
    )
    expect((await request('GET', `/agents/${agent.account}/${NAME}`)).status).toBe(200)
  })

  test('validates without changing anything', async () => {
    const missing = await request('POST', '/deploy/validate', {
      as: 'alice',
      body: { account: agent.account, name: NAME },
    })
    expect([missing.status, missing.body.valid]).toEqual([400, false])
    expect(missing.body.validation_errors.join()).toContain('SUPPORT_API_TOKEN')
    const valid = await request('POST', '/deploy/validate', { as: 'alice', body: deployBody() })
    expect([valid.status, valid.body]).toEqual([
      200,
      {
        valid: true,
        build_id: agent.buildId,
        version: '1.0.0',
        build_choice: 'newest build',
        source_account_id: expect.any(String) as string,
        name: NAME,
      },
    ])
    expect(await list(`/api/v1/namespaces?labelSelector=slipway.dev/agent=${NAME}`)).toEqual([])
  })

  test('deploys a pod that is ready when the response says so', async () => {
    const { status, body } = await request('POST', '/deploy?wait=120', {
      as: 'alice',
      body: deployBody(),
    })
    expect([status, body.errors]).toEqual([200, []])
    expect(body).toMatchObject({
      status: 'success',
      name: NAME,
      build_id: agent.buildId,
      revision: 1,
      rollout: { state: 'ready' },
    })
    expect(body.resources.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining([
        'Namespace',
        'Secret',
        'ConfigMap',
        'Service',
        'Deployment',
        'NetworkPolicy',
      ]),
    )
    namespace = body.k8s_namespace
    expect(await readyPods(namespace)).toHaveLength(1)
    const endpoint = body.service_endpoints.find(({ type }: { type: string }) => type === 'http')
    const [service = ''] = new URL(endpoint.url).hostname.split('.', 1)
    const answer = await callService(namespace, service, 8080, '/chat', {
      message: 'How do I share a folder?',
    })
    expect(JSON.stringify(answer)).toMatch(/share|folder/i)
  })

  test('returns its traces', async () => {
    const path = `/agents/${agent.account}/${NAME}/observability/traces`
    // The spans of a trace may arrive separately; the one with the input and output ends last.
    const trace = await waitFor(
      async () => {
        const { body } = await request('GET', path, { as: 'alice' })
        const isWhole = (each: { input: string; output: string }) =>
          each.input.includes('share a folder') && each.output !== ''
        return body.traces.find(isWhole)
      },
      { what: 'the trace' },
    )
    expect(trace).toMatchObject({ status: 'ok', trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(trace.latency_ms).toBeGreaterThan(0)
    expect((await request('GET', path, { as: 'mallory' })).status).toBe(403)
  })

  test('shows its log, config map and pods to members only', async () => {
    const [pod] = await readyPods(namespace)
    const logs = `/deployments/${namespace}/logs?account=${agent.account}&pod=${pod?.metadata.name}`
    const read = await request('GET', `${logs}&tailLines=5`, { as: 'alice' })
    expect([read.status, read.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    expect(read.text.trim().split('\n').length).toBeLessThanOrEqual(5)
    expect(read.text).not.toBe('')
    expect((await request('GET', logs, { as: 'mallory' })).status).toBe(403)
    expect((await request('GET', `${logs}&tailLines=0`, { as: 'alice' })).status).toBe(400)
    expect(
      (
        await request('GET', `/deployments/kube-system/logs?account=${agent.account}&pod=x`, {
          as: 'alice',
        })
      ).status,
    ).toBe(403)

    const maps = await list(
      `/api/v1/namespaces/${namespace}/configmaps?labelSelector=slipway.dev/deployment-id`,
    )
    const map = await request(
      'GET',
      `/deployments/${namespace}/configmap/${maps[0]?.metadata.name}?account=${agent.account}`,
      { as: 'alice' },
    )
    expect([map.status, map.body]).toMatchObject([
      200,
      { name: maps[0]?.metadata.name, namespace, data: { ASTRO_AGENT_NAME: NAME } },
    ])
    const foreign = await request(
      'GET',
      `/deployments/${namespace}/configmap/kube-root-ca.crt?account=${agent.account}`,
      { as: 'alice' },
    )
    expect(foreign.status).toBe(404)
  })

  test('replaces a restarted pod', async () => {
    const [before] = await readyPods(namespace)
    const name = before?.metadata.name ?? ''
    const path = `/deployments/${namespace}/pods/${name}/restart?account=${agent.account}`
    expect((await request('POST', path, { as: 'mallory' })).status).toBe(403)
    const { status, body } = await request('POST', path, { as: 'alice' })
    expect([status, body]).toEqual([200, { status: 'restarting', pod: name }])
    await waitFor(
      async () =>
        (await readyPods(namespace)).some(({ metadata }) => metadata.uid !== before?.metadata.uid),
      { what: 'another pod' },
    )
    expect(
      (
        await request(
          'POST',
          `/deployments/${namespace}/pods/no-such-pod/restart?account=${agent.account}`,
          { as: 'alice' },
        )
      ).status,
    ).toBe(404)
  })

  test('changes nothing on the same deploy, and restores what was deleted by hand', async () => {
    const again = await request('POST', '/deploy', {
      as: 'alice',
      body: { account: agent.account, name: NAME },
    })
    expect([again.status, again.body.revision]).toEqual([200, 1])
    expect(new Set(again.body.resources.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['unchanged']),
    )

    const [deployment] = await list(`/apis/apps/v1/namespaces/${namespace}/deployments`)
    await cluster.call(
      'DELETE',
      `/apis/apps/v1/namespaces/${namespace}/deployments/${deployment?.metadata.name}`,
    )
    const restored = await request('POST', '/deploy?wait=120', {
      as: 'alice',
      body: { account: agent.account, name: NAME },
    })
    expect([restored.status, restored.body.status]).toEqual([200, 'success'])
    // The pods of the deleted Deployment are removed in the background.
    await untilReplaced(namespace, 'agent')
  })

  test('undeploys once, which removes the namespace', async () => {
    const body = { account: agent.account, name: NAME }
    expect((await request('POST', '/undeploy', { as: 'mallory', body })).status).toBe(403)
    const gone = await request('POST', '/undeploy', { as: 'alice', body })
    expect([gone.status, gone.body]).toMatchObject([
      200,
      { status: 'success', name: NAME, build_id: agent.buildId, k8s_namespace: namespace },
    ])
    expect((await request('POST', '/undeploy', { as: 'alice', body })).status).toBe(404)
    await waitFor(async () => (await find(`/api/v1/namespaces/${namespace}`)) === undefined, {
      what: 'the namespace to go',
    })
  })
})
