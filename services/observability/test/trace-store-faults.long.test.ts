import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { Code } from '@connectrpc/connect'
import { readRemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { describe, expect, test } from 'vitest'

import { prepareClickHouse } from './support/clickhouse-http.ts'
import { encodeRequest, newSpanId, newTraceId, post, toOtlpSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const OWNER = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
/** Calls have a far later deadline than queries, so the service always reports the error. */
const QUERY_TIMEOUT_MS = 5_000
const DEADLINE_MS = 60_000

async function platformOn(clickHouseUrl: string): Promise<Platform> {
  const platform = await startPlatform({
    CLICKHOUSE_URL: clickHouseUrl,
    TRACE_QUERY_TIMEOUT_MS: String(QUERY_TIMEOUT_MS),
  })
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  platform.neighbours.tokens.set('token', OWNER)
  return platform
}

/** Returns the outcome of each call that needs the store: `ok`, or its code and reason. */
async function outcomes({ traces, as }: Platform): Promise<readonly string[]> {
  const request = { account: 'acme', name: 'helper' }
  const options = await as('alice', { timeoutMs: DEADLINE_MS })
  const calls = [
    traces.listTraces(request, options),
    traces.getMetrics(request, options),
    traces.getSummary(request, options),
  ]
  return await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'ok',
        (error: unknown) => {
          const { code, reason } = readRemoteError(error)
          return `${Code[code]} ${reason}`
        },
      ),
    ),
  )
}

async function send({ ingestUrl }: Platform): Promise<Response> {
  const span = toOtlpSpan({
    traceId: newTraceId(),
    spanId: newSpanId(),
    startMs: Date.now() - 1000,
  })
  const response = await post(ingestUrl, 'token', encodeRequest([span]))
  await response.arrayBuffer()
  return response
}

async function expectUnavailable(platform: Platform): Promise<void> {
  const response = await send(platform)
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true])
}

const isRecovered = (platform: Platform) => async () =>
  (await outcomes(platform)).every((outcome) => outcome === 'ok')
const all = (outcome: string) => [outcome, outcome, outcome]

describe('a ClickHouse server', () => {
  test('may start late, crash and hang: calls fail in time, and recover', async () => {
    await using clickHouse = await prepareClickHouse()
    await using platform = await platformOn(clickHouse.url)
    expect(await outcomes(platform)).toEqual(all('Unavailable trace_store_unavailable'))
    await expectUnavailable(platform)

    await clickHouse.start()
    await waitFor(isRecovered(platform), { what: 'the new server to be used' })
    expect((await send(platform)).status).toBe(200)

    await clickHouse.kill()
    expect(await outcomes(platform)).toEqual(all('Unavailable trace_store_unavailable'))
    await expectUnavailable(platform)
    await clickHouse.start()
    await waitFor(isRecovered(platform), { what: 'the restarted server to be used' })

    clickHouse.freeze()
    expect(await outcomes(platform)).toEqual(all('Unavailable trace_store_slow'))
    clickHouse.unfreeze()
    await waitFor(isRecovered(platform), { what: 'the thawed server to be used' })

    expect((await send(platform)).status).toBe(200)
    const page = await platform.traces.listTraces(
      { account: 'acme', name: 'helper' },
      await platform.as('alice'),
    )
    expect(page.total).toBe(2n)
  })

  test('may lose its disk: the table is created again', async () => {
    await using clickHouse = await prepareClickHouse()
    await clickHouse.start()
    await using platform = await platformOn(clickHouse.url)
    expect((await send(platform)).status).toBe(200)
    await fetch(clickHouse.url, { method: 'POST', body: 'DROP TABLE spans SYNC' })
    await waitFor(async () => (await send(platform)).status === 200, {
      what: 'the table to be created again',
    })
    expect(await outcomes(platform)).toEqual(all('ok'))
  })

  test.each([
    ['another protocol', 'SSH-2.0-x\r\n'],
    ['a web page', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello'],
    [
      'unrelated rows',
      'HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\n{"a":1}\n',
    ],
    ['nothing', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'],
    ['an error', 'HTTP/1.1 500 Oops\r\ncontent-length: 4\r\nconnection: close\r\n\r\noops'],
  ])('that responds with %s counts as unavailable', async (_, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      await using platform = await platformOn(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      )
      expect(await outcomes(platform)).toEqual(all('Unavailable trace_store_unavailable'))
    } finally {
      server.close()
    }
  })
})

test('without a trace store, calls fail as disabled and the ingest returns 503', async () => {
  await using platform = await platformOn('none')
  expect(await outcomes(platform)).toEqual(all('Unavailable trace_store_disabled'))
  await expectUnavailable(platform)
})
