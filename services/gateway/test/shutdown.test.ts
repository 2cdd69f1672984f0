import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'
import {
  DEPLOYMENT_ID,
  startStreamingDeployer,
  type StreamingDeployer,
} from './support/streaming-deployer.ts'

const EVENTS = '/api/v1/agents/alice/bot/deployment/events'
const AGENT_LOGS = '/api/v1/agents/alice/bot/deployment/logs?component=agent'
const LOGS = '/api/v1/deployments/ns/logs?account=alice&pod=p'

/** The streams, and how they end when they are interrupted. */
const STREAMS = [
  [EVENTS, `\n\nretry: 1000\n: interrupted; reconnect with Last-Event-ID: ${DEPLOYMENT_ID}:7\n\n`],
  [
    `${AGENT_LOGS}&follow=true`,
    'Z p[agent] first\n# interrupted; continue with GET ' +
      `${AGENT_LOGS}&follow=true&since=2026-11-20T09%3A05%3A00.250Z&tailLines=5000\n`,
  ],
  [
    `${LOGS}&follow=true`,
    'first\n# interrupted; continue with GET ' +
      `${LOGS}&follow=true&sinceSeconds=SECONDS&tailLines=5000\n`,
  ],
] as const

interface Fixture extends AsyncDisposable {
  readonly deployer: StreamingDeployer
  readonly gateway: LoneGateway
  readonly token: string
  /** Starts to read a response; returns the rest of its text when it has ended. */
  read(path: string): Promise<{ readonly text: Promise<string> }>
  deploy(query: string, name?: string): ReturnType<LoneGateway['send']>
}

/** By default with more time to stop than a busy machine needs. */
async function start(overrides = { drainMs: 120_000 }): Promise<Fixture> {
  await using starting = new AsyncDisposableStack()
  const deployer = starting.use(await startStreamingDeployer())
  const gateway = starting.use(
    await startLoneGateway({ DEPLOYER_ADDRESS: deployer.address }, overrides),
  )
  const token = await gateway.issuer.userToken('alice')
  const stack = starting.move()
  return {
    deployer,
    gateway,
    token,
    async read(path) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${gateway.url}${path}`, { headers })
      expect(response.status).toBe(200)
      return { text: response.text() }
    },
    async deploy(query, name = 'bot') {
      const body = JSON.stringify({ account: 'alice', name, build_id: 'b1' })
      return await gateway.send('POST', `/api/v1/deploy${query}`, { token, body })
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** How a deploy ends whose wait is interrupted. */
const EARLY = {
  status: 'partial',
  errors: ['agent: progressing'],
  rollout: { state: 'progressing', components: [] },
  warnings: [
    'wait: ended early because a service stops; GET /api/v1/agents/alice/bot/deployment ' +
      'returns the state of the rollout',
  ],
}

/** The ends of the texts, as long as those in STREAMS. */
async function endsOf(streams: readonly { readonly text: Promise<string> }[]): Promise<string[]> {
  const texts = await Promise.all(streams.map(({ text }) => text))
  return texts.map((text, index) => {
    const whole = text.replace(/(?<=sinceSeconds=)\d+/, 'SECONDS')
    return whole.slice(-(STREAMS[index]?.[1].length ?? 0))
  })
}

const ENDS = STREAMS.map(([, end]) => end)

test('streams and waits end at once when the gateway stops; work is completed', async () => {
  await using system = await start()
  const { deployer, gateway } = system
  const streams = await Promise.all(STREAMS.map(([path]) => system.read(path)))
  const waiting = system.deploy('?wait=300')
  const { text: log } = await system.read(LOGS)
  const deploying = system.deploy('?wait=300', 'slow')
  await waitFor(() => deployer.running === 6, { what: 'the calls' })
  const stopped = gateway[Symbol.asyncDispose]()
  expect(await endsOf(streams)).toEqual(ENDS)
  expect(await waiting).toMatchObject({ status: 207, body: EARLY })
  await waitFor(() => deployer.running === 2, { what: 'the end of streams and waits' })
  deployer.release()
  expect(await log).toBe('first\nlast\n')
  expect(await deploying).toMatchObject({ status: 207, body: EARLY })
  await stopped
})

test('streams and waits end when the deployer stops', async () => {
  await using system = await start()
  const streams = await Promise.all(STREAMS.map(([path]) => system.read(path)))
  const waiting = system.deploy('?wait=300')
  await waitFor(() => system.deployer.running === 4, { what: 'the calls' })
  system.deployer.interrupt()
  expect(await endsOf(streams)).toEqual(ENDS)
  expect(await waiting).toMatchObject({ status: 207, body: EARLY })
})

test('returns 503 with Retry-After to a deploy that takes too long', async () => {
  await using system = await start({ drainMs: 100 })
  const deploying = system.deploy('')
  await waitFor(() => system.deployer.running === 1, { what: 'the deploy' })
  await system.gateway[Symbol.asyncDispose]()
  const answer = await deploying
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    '1',
  ])
})

test('asks clients to use other connections before it closes them', async () => {
  await using gateway = await startLoneGateway({}, { noticeMs: 60_000 })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const answers = readText(socket)
  const ask = () => socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  ask()
  await once(socket, 'data')
  const stopped = gateway[Symbol.asyncDispose]()
  await waitFor(async () => (await gateway.send('GET', '/readyz')).status === 503, {
    what: 'the gateway to stop',
  })
  ask()
  const [, first = '', second = ''] = (await answers).split('HTTP/1.1 200 OK')
  expect([first, second].map((each) => /^connection: (.*)\r$/im.exec(each)?.[1])).toEqual([
    'keep-alive',
    'close',
  ])
  // Sooner than the notice ends, because no client is left.
  await stopped
})

test('serves a request that arrives on a busy connection while the gateway stops', async () => {
  await using system = await start()
  const { deployer, gateway, token } = system
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const head = `host: x\r\nauthorization: Bearer ${token}\r\n\r\n`
  socket.write(`GET ${LOGS} HTTP/1.1\r\n${head}`)
  const answers = readText(socket)
  await waitFor(() => deployer.running === 1, { what: 'the stream' })
  const stopped = gateway[Symbol.asyncDispose]()
  await waitFor(() => isRefused(gateway.url), { what: 'the gateway to stop' })
  socket.write(`GET ${LOGS} HTTP/1.1\r\nx-request-id: late\r\n${head}`)
  await waitFor(() => deployer.running === 2, { what: 'the late request' })
  deployer.release()
  const [, , late = ''] = (await answers).split('HTTP/1.1 ')
  await stopped
  for (const part of ['200 OK', 'x-request-id: late', 'connection: close', 'last\n']) {
    expect(late.toLowerCase()).toContain(part.toLowerCase())
  }
})

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}
