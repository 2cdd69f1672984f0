import { login } from '@slipway/local/device-login'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, request, tokenOf } from '../support/api.ts'
import { callService, cluster, readyPods } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'inspected-agent'
let agent: RegisteredAgent
let namespace: string

const deployBody = () => ({
  account: agent.account,
  name: NAME,
  user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
})
const stateOf = async () =>
  (await request('GET', `/agents/${agent.account}/${NAME}/deployment`, { as: 'alice' })).body
    .state as string

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  const { status, body, text } = await request('POST', '/deploy', {
    as: 'alice',
    body: deployBody(),
  })
  if (status !== 200) throw new Error(`deploy answered ${status}: ${text}`)
  namespace = body.k8s_namespace
  await waitFor(async () => (await stateOf()) === 'ready', {
    what: 'the agent to run',
    timeoutMs: 200_000,
  })
}, 240_000)

afterAll(async () => {
  await undeploy(agent)
})

const podName = async () =>
  await waitFor(async () => (await readyPods(namespace))[0]?.metadata.name, { what: 'a pod' })

/** Has the agent write a line to its log. */
const ask = async (message: string) =>
  await callService(namespace, `${NAME}-agent`, 8080, '/chat', { message }).catch(() => undefined)

/** An answer that is read piece by piece, as far as it has come. */
interface Reading {
  readonly status: number
  readonly headers: Headers
  text(): string
  /** `open`, `ended` when the answer is complete, `cut` when it was broken off. */
  end(): 'open' | 'ended' | 'cut'
  close(): void
}

async function read(
  path: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reading> {
  const closed = new AbortController()
  const response = await fetch(`${fromStack('SLIPWAY_URL')}/api/v1${path}`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
    signal: closed.signal,
  })
  let text = ''
  let end: 'open' | 'ended' | 'cut' = 'open'
  void (async () => {
    try {
      const decoder = new TextDecoder()
      for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true })
      end = 'ended'
    } catch {
      end = 'cut'
    }
  })()
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    end: () => end,
    close: () => closed.abort(),
  }
}

const logPath = (pod: string, query: string) =>
  `/deployments/${namespace}/logs?account=${agent.account}&pod=${pod}${query}`
const shortToken = async () =>
  await login(fromStack('SLIPWAY_ISSUER'), 'alice', { clientId: 'slipway-short-lived' })

/** How many requests for logs the API server is serving right now. */
async function openLogStreams(): Promise<number> {
  const metrics = (await cluster.call('GET', '/metrics')) as unknown
  const text = typeof metrics === 'string' ? metrics : JSON.stringify(metrics)
  return [
    ...text.matchAll(/^apiserver_longrunning_requests\{[^}]*subresource="log"[^}]*\} (\d+)$/gm),
  ].reduce((sum, [, count]) => sum + Number(count), 0)
}

describe('the log of a pod', () => {
  test('is read from its end, with or without times, and no older than asked', async () => {
    const pod = await podName()
    await ask('How do I share a folder?')
    const all = await request('GET', logPath(pod, ''), { as: 'alice' })
    expect([all.status, all.headers.get('content-type'), all.headers.get('cache-control')]).toEqual(
      [200, 'text/plain; charset=utf-8', 'no-store'],
    )
    expect(all.text).toContain('agent_started')
    const last = await request('GET', logPath(pod, '&tailLines=1'), { as: 'alice' })
    expect(last.text.trim().split('\n')).toHaveLength(1)
    const dated = await request(
      'GET',
      logPath(pod, '&tailLines=1&timestamps=true&container=agent'),
      { as: 'alice' },
    )
    expect(dated.text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z /)
    const old = await request('GET', logPath(pod, '&sinceSeconds=31622400'), { as: 'alice' })
    expect(old.text).toContain('agent_started')
  })

  test('is followed until the pod ends, which ends the answer', async () => {
    const pod = await podName()
    const reading = await read(logPath(pod, '&follow=true&tailLines=1'), await tokenOf('alice'))
    expect(reading.status).toBe(200)
    const path = `/deployments/${namespace}/pods/${pod}/restart?account=${agent.account}`
    const restarted = await request('POST', path, { as: 'alice' })
    expect([restarted.status, restarted.body]).toEqual([200, { status: 'restarting', pod }])
    await waitFor(() => reading.end() !== 'open', { what: 'the log to end with its pod' })
    expect(reading.end()).toBe('ended')
    expect(reading.text()).toContain('agent_stopped')
    await waitFor(async () => (await podName()) !== pod, { what: 'another pod' })
    const codeOfGone = async () =>
      (await request('GET', logPath(pod, ''), { as: 'alice' })).body?.code
    await waitFor(async () => (await codeOfGone()) === 'pod_not_found', {
      what: 'the pod to be gone',
    })
  })

  test('that is silent is answered at once, and cut off when the token of who follows it expires', async () => {
    const pod = await podName()
    const before = await openLogStreams()
    const reading = await read(logPath(pod, '&follow=true&sinceSeconds=1'), await shortToken())
    expect(reading.status).toBe(200)
    await waitFor(() => reading.end() !== 'open', { what: 'the token to expire' })
    expect(reading.end()).toBe('cut')
    // The reader learns of it first, the API server a moment later.
    await waitFor(async () => (await openLogStreams()) === before, {
      what: 'the API server to be let go',
      intervalMs: 500,
    })
  })

  test('is let go when its reader goes away', async () => {
    const pod = await podName()
    const before = await openLogStreams()
    const token = await tokenOf('alice')
    const readings = await Promise.all(
      [1, 2, 3, 4, 5].map(() => read(logPath(pod, '&follow=true'), token)),
    )
    await waitFor(async () => (await openLogStreams()) === before + 5, {
      what: 'the API server to serve the logs',
      intervalMs: 500,
    })
    for (const reading of readings) reading.close()
    expect(readings.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await waitFor(async () => (await openLogStreams()) === before, {
      what: 'the API server to be let go',
      intervalMs: 500,
    })
  })
})

describe('the event stream', () => {
  const path = () => `/agents/${agent.account}/${NAME}/deployment/events`
  const idsOf = (text: string) =>
    [...text.matchAll(/^id: \S+:(\d+)$/gm)].map(([, id]) => Number(id))
  const typesOf = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)

  test('goes on where Last-Event-ID says, without gaps, and is alive while nothing happens', async () => {
    const token = await tokenOf('alice')
    const live = await read(path(), token)
    expect([
      live.status,
      live.headers.get('content-type'),
      live.headers.get('cache-control'),
    ]).toEqual([200, 'text/event-stream', 'no-store'])
    await waitFor(() => typesOf(live.text()).length > 0, { what: 'the snapshot' })
    expect(typesOf(live.text())[0]).toBe('snapshot')
    const [start = 0] = idsOf(live.text())
    const deploymentId = /^id: (\S+):/m.exec(live.text())?.[1] ?? ''

    const again = await read(path(), token, { 'last-event-id': `${deploymentId}:0` })
    await waitFor(() => idsOf(again.text()).length >= start, { what: 'all that happened so far' })
    expect(idsOf(again.text()).slice(0, start)).toEqual(
      Array.from({ length: start }, (_, index) => index + 1),
    )
    expect(typesOf(again.text())[0]).toBe('requested')

    const silent = await read(path(), token, {
      'last-event-id': `${deploymentId}:${idsOf(again.text()).at(-1)}`,
    })
    expect(silent.status).toBe(200)
    await waitFor(() => silent.text().includes(': nothing new'), { what: 'a sign of life' })
    expect(idsOf(silent.text())).toEqual([])

    const overrides = { 'agent.environment.GREETED': String(start) }
    await request('POST', '/deploy', { as: 'alice', body: { ...deployBody(), overrides } })
    await waitFor(() => typesOf(live.text()).includes('applied'), { what: 'the deploy' })
    const ids = idsOf(live.text())
    expect(ids.slice(1)).toEqual(ids.slice(1).map((_, index) => start + 1 + index))
    for (const reading of [live, again, silent]) reading.close()
  })

  test('ends when the token expires', async () => {
    const reading = await read(path(), await shortToken())
    expect(reading.status).toBe(200)
    await waitFor(() => reading.end() !== 'open', { what: 'the token to expire' })
  })

  test('is no longer there for a token that has expired, nor for somebody else', async () => {
    expect((await request('GET', path())).status).toBe(401)
    expect((await request('GET', path(), { as: 'mallory' })).status).toBe(403)
  })
})

/** Deploys an agent that lacks what it needs, and so ends whenever it is started. */
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
    throw new Error(`register answered ${registered.status}: ${registered.text}`)
  try {
    await use(account)
  } finally {
    await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
  }
}

test('the log of an instance before the last restart is there', async () => {
  await withCrashingAgent('inspected-crashing', async (account) => {
    const deployed = await request('POST', '/deploy', {
      as: 'alice',
      body: { account, name: 'inspected-crashing' },
    })
    const path = `/deployments/${deployed.body.k8s_namespace}/logs?account=${account}`
    const restarted = await waitFor(
      async () => {
        const { body } = await request('GET', `/agents/${account}/inspected-crashing/deployment`, {
          as: 'alice',
        })
        return body.components[0].pods.find(({ restarts }: { restarts: number }) => restarts > 0)
          ?.name as string
      },
      { what: 'a restart', intervalMs: 200 },
    )
    // While one instance makes way for the next, the kubelet may have removed the one it still
    // names.
    const log = await waitFor(
      async () => {
        const { status, text } = await request('GET', `${path}&pod=${restarted}&previous=true`, {
          as: 'alice',
        })
        return status === 200 && !text.startsWith('unable to retrieve') ? text : undefined
      },
      { what: 'the log of the instance that ended', intervalMs: 500 },
    )
    expect(log).toContain('agent_failed')
  })
})

describe('a wait for a rollout', () => {
  test('ends with 401 when the token expires; what was deployed stays', async () => {
    const name = 'inspected-waiting'
    await withCrashingAgent(name, async (account) => {
      const { status, body } = await request('POST', '/deploy?wait=60', {
        headers: { authorization: `Bearer ${await shortToken()}` },
        body: { account, name },
      })
      expect([status, body.code]).toEqual([401, 'token_expired'])
      const { body: deployment } = await request('GET', `/agents/${account}/${name}/deployment`, {
        as: 'alice',
      })
      expect(deployment.revision).toBe(1)
    })
  })
})
