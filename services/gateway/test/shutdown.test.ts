import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'
import { startStreamingDeployer, type StreamingDeployer } from './support/streaming-deployer.ts'

const EVENTS = '/api/v1/agents/alice/bot/deployment/events'
const LOGS = '/api/v1/deployments/ns/logs?account=alice&pod=p&follow=true'

let deployer: StreamingDeployer

beforeAll(async () => {
  deployer = await startStreamingDeployer()
})

afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test.each([EVENTS, LOGS])('ends the endless stream %s when the gateway stops', async (path) => {
  await using gateway = await startLoneGateway(
    { DEPLOYER_ADDRESS: deployer.address },
    { drainMs: 100 },
  )
  const headers = { authorization: `Bearer ${await gateway.issuer.userToken('alice')}` }
  const { status, body } = await fetch(`${gateway.url}${path}`, { headers })
  expect(status).toBe(200)
  const reader = body?.getReader()
  await reader?.read()
  const rest = reader?.read().then(
    ({ done }) => done,
    () => true,
  )
  await gateway[Symbol.asyncDispose]()
  expect(await rest).toBe(true)
  await waitFor(() => deployer.running === 0, { what: 'the end of the stream' })
})

test('returns 503 with Retry-After to a deploy that waits while the gateway stops', async () => {
  await using gateway = await startLoneGateway(
    { DEPLOYER_ADDRESS: deployer.address },
    { drainMs: 100 },
  )
  const token = await gateway.issuer.userToken('alice')
  const body = JSON.stringify({ account: 'alice', name: 'bot', build_id: 'b1' })
  const waiting = gateway.send('POST', '/api/v1/deploy?wait=300', { token, body })
  await waitFor(() => deployer.running === 1, { what: 'the deploy' })
  await gateway[Symbol.asyncDispose]()
  const answer = await waiting
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
  await using deployer = await startStreamingDeployer()
  await using gateway = await startLoneGateway(
    { DEPLOYER_ADDRESS: deployer.address },
    { drainMs: 120_000 },
  )
  const token = await gateway.issuer.userToken('alice')
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const head = `host: x\r\nauthorization: Bearer ${token}\r\n\r\n`
  socket.write(`GET ${LOGS} HTTP/1.1\r\n${head}`)
  const answers = readText(socket)
  await waitFor(() => deployer.running === 1, { what: 'the stream' })
  const stopped = gateway[Symbol.asyncDispose]()
  await waitFor(() => isRefused(Number(port), hostname), { what: 'the gateway to stop' })
  socket.write(`GET ${LOGS} HTTP/1.1\r\nx-request-id: late\r\n${head}`)
  await waitFor(() => deployer.running === 2, { what: 'the late request' })
  deployer.release()
  const [, , late = ''] = (await answers).split('HTTP/1.1 ')
  await stopped
  for (const part of ['200 OK', 'x-request-id: late', 'connection: close', 'last\n']) {
    expect(late.toLowerCase()).toContain(part.toLowerCase())
  }
})

async function isRefused(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}
