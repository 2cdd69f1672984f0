import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, request, shortToken, tokenOf } from '../support/api.ts'
import { callService } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { deployInspectedAgent, type InspectedAgent } from '../support/inspected-agent.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'
import { read, type Reading } from '../support/reading.ts'

// Tests that count streams at the API server are in test/alone/log-streams.test.ts.

const NAME = 'inspected-agent'
let agent: InspectedAgent
/** An event stream that is open during all tests. */
let idle: Reading
beforeAll(async () => {
  agent = await deployInspectedAgent(NAME)
  idle = await read(eventsPath(), await tokenOf('alice'))
})
afterAll(async () => {
  idle?.close()
  await agent[Symbol.asyncDispose]()
})

const eventsPath = () => `/agents/${agent.account}/${NAME}/deployment/events`
const idsOf = (text: string) => [...text.matchAll(/^id: \S+:(\d+)$/gm)].map(([, id]) => Number(id))

describe('the log of a pod', () => {
  test('is read from its end, with or without times, and since a time', async () => {
    const pod = await agent.podName()
    // The agent logs the question.
    const body = { message: 'How do I share a folder?' }
    await callService(agent.namespace, `${NAME}-agent`, 8080, '/chat', body)
    const all = await request('GET', agent.logPath(pod, ''), { as: 'alice' })
    expect([all.status, all.headers.get('content-type'), all.headers.get('cache-control')]).toEqual(
      [200, 'text/plain; charset=utf-8', 'no-store'],
    )
    expect(all.text).toContain('agent_started')
    const last = await request('GET', agent.logPath(pod, '&tailLines=1'), { as: 'alice' })
    expect(last.text.trim().split('\n')).toHaveLength(1)
    const dated = await request(
      'GET',
      agent.logPath(pod, '&tailLines=1&timestamps=true&container=agent'),
      { as: 'alice' },
    )
    expect(dated.text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z /)
    const old = await request('GET', agent.logPath(pod, '&sinceSeconds=31622400'), { as: 'alice' })
    expect(old.text).toContain('agent_started')
  })

  test('is followed until the pod ends', async () => {
    const pod = await agent.podName()
    const reading = await read(
      agent.logPath(pod, '&follow=true&tailLines=1'),
      await tokenOf('alice'),
    )
    expect(reading.status).toBe(200)
    const path = `/deployments/${agent.namespace}/pods/${pod}/restart?account=${agent.account}`
    const restarted = await request('POST', path, { as: 'alice' })
    expect([restarted.status, restarted.body]).toEqual([200, { status: 'restarting', pod }])
    await waitFor(() => reading.end() !== 'open', { what: 'the log to end with its pod' })
    expect(reading.end()).toBe('ended')
    expect(reading.text()).toContain('agent_stopped')
    await waitFor(async () => (await agent.podName()) !== pod, { what: 'the next pod' })
    const codeOfGone = async () =>
      (await request('GET', agent.logPath(pod, ''), { as: 'alice' })).body?.code
    await waitFor(async () => (await codeOfGone()) === 'pod_not_found', {
      what: 'the pod to be gone',
    })
  })
})

describe('the event stream', () => {
  const typesOf = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)

  test('continues at Last-Event-ID without gaps', async () => {
    const token = await tokenOf('alice')
    const live = await read(eventsPath(), token)
    expect([
      live.status,
      live.headers.get('content-type'),
      live.headers.get('cache-control'),
    ]).toEqual([200, 'text/event-stream', 'no-store'])
    await waitFor(() => typesOf(live.text()).length > 0, { what: 'the snapshot' })
    expect(typesOf(live.text())[0]).toBe('snapshot')
    const [start = 0] = idsOf(live.text())
    const deploymentId = /^id: (\S+):/m.exec(live.text())?.[1] ?? ''

    const again = await read(eventsPath(), token, { 'last-event-id': `${deploymentId}:0` })
    await waitFor(() => idsOf(again.text()).length >= start, { what: 'the earlier events' })
    expect(idsOf(again.text()).slice(0, start)).toEqual(
      Array.from({ length: start }, (_, index) => index + 1),
    )
    expect(typesOf(again.text())[0]).toBe('requested')

    const last = idsOf(again.text()).at(-1) ?? 0
    const silent = await read(eventsPath(), token, { 'last-event-id': `${deploymentId}:${last}` })
    expect(silent.status).toBe(200)

    const overrides = { 'agent.environment.GREETED': String(start) }
    await request('POST', '/deploy', { as: 'alice', body: { ...agent.deployBody, overrides } })
    await waitFor(() => typesOf(live.text()).includes('applied'), { what: 'the deploy' })
    const ids = idsOf(live.text())
    expect(ids.slice(1)).toEqual(ids.slice(1).map((_, index) => start + 1 + index))
    await waitFor(() => typesOf(silent.text()).includes('applied'), { what: 'the deploy' })
    const since = idsOf(silent.text())
    expect(since).toEqual(since.map((_, index) => last + 1 + index))
    for (const reading of [live, again, silent]) reading.close()
  })

  test('is rejected without a token and to other accounts', async () => {
    expect((await request('GET', eventsPath())).status).toBe(401)
    expect((await request('GET', eventsPath(), { as: 'mallory' })).status).toBe(403)
  })
})

test('streams of a gateway that stops say how to continue, and nothing is lost', async () => {
  const gateway = await startLoneGateway({ DEPLOYER_ADDRESS: fromStack('DEPLOYER_GRPC') })
  const token = await tokenOf('alice')
  const path = `/agents/${agent.account}/${NAME}/deployment`
  // The agent logs the paths of requests.
  const ask = async (query: string) =>
    await callService(agent.namespace, `${NAME}-agent`, 8080, `/healthz?${query}`)
  const linesOf = (text: string) => text.split('\n').filter((line) => / \S+\[agent\] /.test(line))
  const logs = await read(`${path}/logs?follow=true`, token, {}, gateway.url)
  const events = await read(`${path}/events`, token, {}, gateway.url)
  await ask('before')
  await waitFor(() => logs.text().includes('?before'), { what: 'the first request' })
  await waitFor(() => events.text().includes('snapshot'), { what: 'the snapshot' })
  await gateway[Symbol.asyncDispose]()
  await waitFor(() => logs.end() !== 'open' && events.end() !== 'open', { what: 'the ends' })
  expect([logs.end(), events.end()]).toEqual(['ended', 'ended'])

  const next = /\n# interrupted; continue with GET \/api\/v1(\S+)\n$/.exec(logs.text())?.[1]
  const lastId = /\n: interrupted; reconnect with Last-Event-ID: (\S+)\n/.exec(events.text())?.[1]
  await ask('between')
  const continued = await read(next ?? '', token)
  await waitFor(() => continued.text().includes('?between'), { what: 'the second request' })
  const last = linesOf(logs.text()).at(-1)
  expect(linesOf(continued.text())).toContain(last)
  const resumed = await read(`${path}/events`, token, { 'last-event-id': lastId ?? '' })
  await waitFor(() => resumed.text() !== '', { what: 'the stream' })
  expect(resumed.text()).not.toContain('snapshot')
  for (const reading of [continued, resumed]) reading.close()
})

/** Registers an agent that crashes if it is deployed as it is; undeploys it at the end. */
async function withCrashingAgent(
  name: string,
  use: (account: string) => Promise<void>,
): Promise<void> {
  const account = await personalAccount('alice')
  const image = /image: (\S+)/.exec(agent.spec)?.[1]
  const body = {
    build_id: 'b1',
    registry: `http://${fromStack('SLIPWAY_REGISTRY')}`,
    spec_content: `spec: astro/v1\nname: ${name}\nagent: {image: "${image}", port: 9999}\n`,
  }
  const registered = await request('POST', `/agents/${account}/${name}/register`, {
    as: 'alice',
    body,
  })
  if (registered.status !== 201)
    throw new Error(`register returned ${registered.status}: ${registered.text}`)
  try {
    await use(account)
  } finally {
    await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
  }
}

test('the log of a pod’s previous instance can be read', async () => {
  await withCrashingAgent('inspected-crashing', async (account) => {
    const deployed = await request('POST', '/deploy', {
      as: 'alice',
      body: { account, name: 'inspected-crashing' },
    })
    const path = `/deployments/${deployed.body.k8s_namespace}/logs?account=${account}`
    const pod = await waitFor(
      async () => {
        const { body } = await request('GET', `/agents/${account}/inspected-crashing/deployment`, {
          as: 'alice',
        })
        return body.components[0].pods.find(({ restarts }: { restarts: number }) => restarts > 0)
      },
      { what: 'a restart', intervalMs: 200 },
    )
    expect(pod.last_exit).toEqual({
      reason: 'Error',
      exit_code: 1,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    // Between two instances, the kubelet may have removed the one that it still reports.
    const log = await waitFor(
      async () => {
        const { status, text } = await request('GET', `${path}&pod=${pod.name}&previous=true`, {
          as: 'alice',
        })
        return status === 200 && !text.startsWith('unable to retrieve') ? text : undefined
      },
      { what: 'the log of the previous instance', intervalMs: 500 },
    )
    expect(log).toContain('agent_failed')
  })
})

describe('a wait for a rollout', () => {
  test('ends with 401 when the token expires, and the deployment stays', async () => {
    const name = 'inspected-waiting'
    // No node has room for it, so that the rollout doesn't end before the token expires.
    const amounts = { cpu: '120', memory: '1Gi' }
    const overrides = { 'agent.resources': { requests: amounts, limits: amounts } }
    await withCrashingAgent(name, async (account) => {
      const answer = async () =>
        await request('POST', '/deploy?wait=60', {
          headers: { authorization: `Bearer ${await shortToken()}` },
          body: { account, name, overrides },
        })
      const revision = async () => {
        const path = `/agents/${account}/${name}/deployment`
        return (await request('GET', path, { as: 'alice' })).body.revision as number | undefined
      }
      const { status, body } = await waitFor(
        async () => {
          const ended = await answer()
          // On a busy machine, a token may expire before the deploy.
          return (await revision()) === undefined ? undefined : ended
        },
        { what: 'a deploy before the token expires' },
      )
      expect([status, body.code]).toEqual([401, 'token_expired'])
      expect(await revision()).toBe(1)
    })
  })
})

test('an event stream sends comments when nothing happens', async () => {
  await waitFor(() => idle.text().includes(': nothing new'), { what: 'a comment' })
  const ids = idsOf(idle.text())
  const [first = 0] = ids
  expect(ids).toEqual(ids.map((_, index) => first + index))
})
