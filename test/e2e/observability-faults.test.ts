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

/**
 * What the system tells: every observability route why it can't answer, the ingest to come later;
 * all else goes on.
 */
const lookAt = async (system: FaultyObservability) => ({
  observability: await system.observe(),
  others: await system.others(),
  ingest: await system.ingest(),
  isReady: await system.isReady(),
})

function trouble(code: string) {
  const problem = { status: 503, code, contentType: 'application/problem+json', mayRetry: true }
  return {
    observability: [problem, problem, problem, problem],
    others: [200, 200, 404],
    ingest: expect.objectContaining({ status: 503, mayRetry: true }),
    isReady: true,
  }
}

async function untilWell(system: FaultyObservability): Promise<void> {
  const statuses = async () => (await system.observe()).map(({ status }) => status).join()
  await waitFor(async () => (await statuses()) === '200,200,200,404', { what: 'every answer' })
  await waitFor(async () => (await system.ingest()).status === 200, { what: 'the ingest' })
}

test('a trace store that comes late, crashes, hangs and comes back', async () => {
  await using clickHouse = await prepareClickHouse()
  await using system = await startFaultyObservability({ CLICKHOUSE_URL: clickHouse.url })
  expect(await lookAt(system)).toEqual(trouble('trace_store_unavailable'))
  await clickHouse.start()
  await untilWell(system)

  await clickHouse.kill()
  expect(await lookAt(system)).toEqual(trouble('trace_store_unavailable'))
  await clickHouse.start()
  await untilWell(system)

  clickHouse.freeze()
  expect(await lookAt(system)).toEqual(trouble('trace_store_slow'))
  clickHouse.unfreeze()
  await untilWell(system)
})

test.each([
  ['no HTTP', 'SSH-2.0-x\r\n'],
  ['a page', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello'],
  [
    'rows of something else',
    'HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\n{"a":1}\n',
  ],
  ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 800\r\n\r\n{"a":'],
  ['an error', 'HTTP/1.1 500 Oops\r\ncontent-length: 4\r\nconnection: close\r\n\r\noops'],
])('a trace store that answers %s', async (_, answer) => {
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
    expect(await lookAt(system)).toEqual(trouble('trace_store_unavailable'))
  } finally {
    server.close()
  }
})

test('no trace store at all', async () => {
  await using system = await startFaultyObservability({ CLICKHOUSE_URL: 'none' })
  expect(await lookAt(system)).toEqual(trouble('trace_store_disabled'))
})

test('no observability service', async () => {
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
