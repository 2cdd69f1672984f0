import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { prepareClickHouse } from '@slipway/observability/testing/clickhouse-http'
import { tokenOf } from '../support/api.ts'
import {
  startFaultyObservability,
  type FaultyObservability,
} from '../support/faulty-observability.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'

/** The responses of the observability routes, of others and of the ingest, and the readiness. */
const inspect = async (system: FaultyObservability) => ({
  observability: await system.observe(),
  others: await system.others(),
  ingest: await system.ingest(),
  isReady: await system.isReady(),
})

/** While there is no trace store: its routes and the ingest return 503, all else works. */
function unavailable(code: string) {
  const problem = { status: 503, code, contentType: 'application/problem+json', mayRetry: true }
  return {
    observability: [problem, problem, problem, problem],
    others: [200, 200, 404],
    ingest: expect.objectContaining({ status: 503, mayRetry: true }),
    isReady: true,
  }
}

async function untilRecovered(system: FaultyObservability): Promise<void> {
  const statuses = async () => (await system.observe()).map(({ status }) => status).join()
  await waitFor(async () => (await statuses()) === '200,200,200,404', { what: 'every response' })
  await waitFor(async () => (await system.ingest()).status === 200, { what: 'the ingest' })
}

test('recovers from a trace store that starts late, crashes and hangs', async () => {
  await using clickHouse = await prepareClickHouse()
  await using system = await startFaultyObservability({ CLICKHOUSE_URL: clickHouse.url })
  expect(await inspect(system)).toEqual(unavailable('trace_store_unavailable'))
  await clickHouse.start()
  await untilRecovered(system)

  await clickHouse.kill()
  expect(await inspect(system)).toEqual(unavailable('trace_store_unavailable'))
  await clickHouse.start()
  await untilRecovered(system)

  clickHouse.freeze()
  expect(await inspect(system)).toEqual(unavailable('trace_store_slow'))
  clickHouse.unfreeze()
  await untilRecovered(system)
})

test.each([
  ['something other than HTTP', 'SSH-2.0-x\r\n'],
  ['a page', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello'],
  [
    'rows of another shape',
    'HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\n{"a":1}\n',
  ],
  ['half a response', 'HTTP/1.1 200 OK\r\ncontent-length: 800\r\n\r\n{"a":'],
  ['an error', 'HTTP/1.1 500 Oops\r\ncontent-length: 4\r\nconnection: close\r\n\r\noops'],
])('reports the trace store as unavailable when it responds with %s', async (_, answer) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    await using system = await startFaultyObservability({
      CLICKHOUSE_URL: `http://127.0.0.1:${port}`,
    })
    expect(await inspect(system)).toEqual(unavailable('trace_store_unavailable'))
  } finally {
    server.close()
  }
})

test('reports a trace store that is disabled', async () => {
  await using system = await startFaultyObservability({ CLICKHOUSE_URL: 'none' })
  expect(await inspect(system)).toEqual(unavailable('trace_store_disabled'))
})

test('reports a missing observability service', async () => {
  await using gateway = await startLoneGateway({})
  const headers = { authorization: `Bearer ${await tokenOf('alice')}` }
  for (const route of ['traces', 'metrics', 'summary', `traces/${'1'.repeat(32)}`]) {
    const response = await fetch(`${gateway.url}/api/v1/agents/a/b/observability/${route}`, {
      headers,
    })
    const { status, code, detail } = (await response.json()) as {
      status: number
      code: string
      detail: string
    }
    expect([route, response.status, status, code]).toEqual([route, 503, 503, 'service_unavailable'])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(detail).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/)
  }
})
