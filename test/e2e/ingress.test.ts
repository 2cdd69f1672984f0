import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { cluster, find } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { askHost, callHost } from '../support/ingress.ts'
import { API_TOKEN, registerSupportAgent, undeploy } from '../support/support-agent.ts'

const NAMESPACE = 'e2e-ingress'
const PATH = `/api/v1/namespaces/${NAMESPACE}`
const INGRESSES = `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses`
const SCRIPT = readFileSync(new URL('../support/programs/echo-server.ts', import.meta.url), 'utf8')
const HOST = 'echo.slipway.localhost'

type Backend = { readonly path: string; readonly service: string; readonly port: object }

async function makeIngress(
  name: string,
  host: string,
  backends: readonly Backend[],
): Promise<void> {
  const paths = backends.map(({ path, service, port }) => ({
    path,
    pathType: 'Prefix',
    backend: { service: { name: service, port } },
  }))
  // Without a class it gets the cluster's default one.
  await cluster.call('POST', INGRESSES, {
    metadata: { name },
    spec: { rules: [{ host, http: { paths } }] },
  })
  const served = async () => {
    const found = await find<{
      metadata: { name: string }
      status: { loadBalancer: { ingress?: { ip: string }[] } }
    }>(`${INGRESSES}/${name}`)
    return found?.status.loadBalancer.ingress?.[0]?.ip === '127.0.0.1'
  }
  await waitFor(served, { what: `the Ingress ${name} to be served` })
}

beforeAll(async () => {
  const example = resolve(import.meta.dirname, '../../examples/support-agent')
  const { reference } = await buildAgentImage(example, { registry: fromStack('SLIPWAY_REGISTRY') })
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } })
  await waitFor(async () => (await find(`${PATH}/serviceaccounts/default`)) !== undefined, {
    what: 'the ServiceAccount',
  })
  await cluster.call('POST', `${PATH}/services`, {
    metadata: { name: 'echo' },
    spec: { selector: { app: 'echo' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  })
  await cluster.call('POST', `${PATH}/pods`, {
    metadata: { name: 'echo', labels: { app: 'echo' } },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'echo',
          image: reference,
          command: ['node', '--input-type=module-typescript', '-e', SCRIPT],
        },
      ],
    },
  })
  await makeIngress('echo', HOST, [
    { path: '/', service: 'echo', port: { number: 80 } },
    { path: '/named', service: 'echo', port: { name: 'http' } },
    { path: '/missing', service: 'nobody', port: { number: 80 } },
  ])
  await waitFor(async () => (await askHost(HOST)).status === 200, { what: 'the pod to respond' })
})

afterAll(async () => {
  await cluster.call('DELETE', `/api/v1/namespaces/${NAMESPACE}`)
})

describe('an Ingress of the cluster', () => {
  test('forwards requests to its pod, with the client’s address and the host', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    const { status, text } = await askHost(HOST, {
      method: 'PUT',
      path: '/named/a%2Fb//c?d=e',
      headers,
    })
    const seen = JSON.parse(text) as { headers: Record<string, string>; from: string }
    expect([status, seen]).toMatchObject([200, { method: 'PUT', url: '/named/a%2Fb//c?d=e' }])
    const host = `${HOST}:${fromStack('SLIPWAY_INGRESS').split(':')[1]}`
    expect(seen.headers).toMatchObject({
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
    })
    expect(seen.headers).not.toHaveProperty('forwarded')
    // The addresses in the deployer's NETWORK_INGRESS_PEERS: the node and its bridge.
    expect(['10.240.0.1', '10.244.0.1']).toContain(seen.from)
  })

  test('returns 404 for other hosts and 503 for a missing Service', async () => {
    expect((await askHost('other.slipway.localhost')).status).toBe(404)
    expect((await askHost(HOST, { path: '/missing/x' })).status).toBe(503)
    expect((await askHost(HOST, { path: '/missingx' })).status).toBe(200)
  })

  test('streams both bodies', async () => {
    const sent = callHost(HOST, {
      method: 'POST',
      path: '/stream',
      headers: { 'transfer-encoding': 'chunked' },
    })
    sent.write('begin')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks = response.setEncoding('utf8').iterator() as AsyncIterator<string>
    expect((await chunks.next()).value).toBe('first half')
    sent.end()
    expect((await chunks.next()).value).toBe(', second half')
  })

  test('upgrades connections', async () => {
    const sent = callHost(HOST, { headers: { connection: 'Upgrade', upgrade: 'echo' } })
    sent.end()
    const [, socket] = (await once(sent, 'upgrade')) as [IncomingMessage, Socket]
    socket.write('hello')
    expect(String((await once(socket, 'data'))[0])).toBe('hello')
    socket.destroy()
  })

  test('doesn’t affect others with a hostile path, and ends with its deletion', async () => {
    const hostile = 'hostile.slipway.localhost'
    await makeIngress('hostile', hostile, [
      { path: '/" { return 200 "owned"; } location "', service: 'echo', port: { number: 80 } },
      { path: '/fine', service: 'echo', port: { number: 80 } },
    ])
    const isServed = async () => (await askHost(hostile, { path: '/fine' })).status === 200
    await waitFor(isServed, { what: 'the host to be served' })
    expect((await askHost(hostile)).status).toBe(404)
    expect((await askHost(HOST)).status).toBe(200)
    await cluster.call('DELETE', `${INGRESSES}/hostile`)
    const isGone = async () => (await askHost(hostile, { path: '/fine' })).status === 404
    await waitFor(isGone, { what: 'the host to be gone' })
  })
})

test('an agent with the interface web responds at the URL in the deploy’s response', async () => {
  const agent = await registerSupportAgent('web-agent')
  const credentials = { SUPPORT_API_TOKEN: API_TOKEN }
  try {
    const { status, body } = await request('POST', '/deploy?wait=120', {
      as: 'alice',
      body: {
        account: agent.account,
        name: agent.name,
        interfaces: ['web'],
        user_credentials: credentials,
      },
    })
    expect([status, body.errors]).toEqual([200, []])
    const endpoint = body.service_endpoints.find(({ type }: { type: string }) => type === 'web')
    const { hostname, port, protocol } = new URL(endpoint.url)
    expect([protocol, port]).toEqual(['http:', fromStack('SLIPWAY_INGRESS').split(':')[1]])
    expect(hostname).toMatch(/^web-agent-[0-9a-f]{16}\.slipway\.localhost$/)

    const question = {
      method: 'POST',
      path: '/chat',
      body: JSON.stringify({ message: 'How do I share a folder?' }),
    }
    await waitFor(async () => (await askHost(hostname, question)).status === 200, {
      what: 'a response from outside',
    })
    expect((await askHost(hostname, question)).text).toMatch(/share|folder/i)
  } finally {
    await undeploy(agent)
  }
})
