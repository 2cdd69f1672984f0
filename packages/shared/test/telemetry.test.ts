import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { createClient } from '@connectrpc/connect'
import { Health } from '@slipway/proto/grpc/health/v1/health'
import { afterEach, describe, expect, test } from 'vitest'

import { createLogger } from '../src/logging/logger.ts'
import { createGrpcTransport, startRpcServer } from '../src/rpc/index.ts'
import { measureHttpRequest, openSpan, startTelemetry } from '../src/telemetry/index.ts'
import { VERSION } from '../src/version.ts'
import { testCollector, waitFor } from '@slipway/testing'

const TRACE_ID = 'a'.repeat(32)
const PARENT_ID = 'b'.repeat(16)
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'

afterEach(() => {
  delete process.env[ENDPOINT]
})

async function startServer() {
  return await startRpcServer({
    grpcAddress: '127.0.0.1:0',
    connectAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [],
    checks: {},
    logger: createLogger('test', 'silent'),
    tokenVerifier: { verify: () => Promise.reject(new Error('no token is expected')) },
  })
}

async function check(grpcAddress: string): Promise<void> {
  using transport = createGrpcTransport([grpcAddress], [Health])
  await createClient(Health, transport).check(
    {},
    { headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01`, tracestate: 'vendor=1' } },
  )
}

describe('telemetry', () => {
  test('counts RPCs and requests for Prometheus', async () => {
    await using _telemetry = await startTelemetry('test', {})
    await using server = await startServer()
    await check(server.grpcAddress)
    measureHttpRequest('GET', '/api/v1/agents', 200, 0.002)
    const response = await fetch(`http://${server.opsAddress}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    const rpc = 'rpc_method="grpc.health.v1.Health/Check",rpc_response_status_code="ok"'
    expect(text).toContain(`rpc_server_call_duration_seconds_count{${rpc}} 1\n`)
    expect(text).toContain(`target_info{service_name="test",service_version="${VERSION}"} 1\n`)
    const requests = text.match(/^http_server_request_duration_seconds_bucket\{.*\} 1$/gm)
    expect(requests).toContainEqual(
      expect.stringMatching(/http_route="\/api\/v1\/agents".*le="0.0025"/),
    )
  })

  test('sends a client and a server span for each RPC, in the trace of its caller', async () => {
    await using collector = await testCollector()
    process.env[ENDPOINT] = collector.url
    {
      await using _telemetry = await startTelemetry('test', process.env)
      await using server = await startServer()
      await check(server.grpcAddress)
      using transport = createGrpcTransport([server.grpcAddress], [Health])
      const client = createClient(Health, transport)
      const enough = new AbortController()
      for await (const _status of client.watch({}, { signal: enough.signal })) break
      enough.abort()
      await expect(client.check({ service: 'no.such.Service' })).rejects.toThrow('not_found')
    }
    await waitFor(() => collector.spans.length >= 6, { what: 'the spans' })
    const of = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
    const [client, server] = of(TRACE_ID).toSorted((a, b) => b.kind - a.kind)
    const name = 'grpc.health.v1.Health/Check'
    const same = { name, traceState: 'vendor=1', isError: false }
    expect(client).toMatchObject({ ...same, kind: 3, parentSpanId: PARENT_ID })
    expect(server).toMatchObject({ ...same, kind: 2, parentSpanId: client?.spanId })
    // Calls without a trace start one.
    const others = collector.spans.filter((span) => span.traceId !== TRACE_ID)
    expect(
      others
        .filter(({ kind }) => kind === 3)
        .map((span) => [span.name, span.parentSpanId, span.isError, of(span.traceId).length])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    ).toEqual([
      [name, '', true, 2],
      ['grpc.health.v1.Health/Watch', '', true, 2],
    ])
  })

  test('has no metrics and no spans when it is off', async () => {
    await using _telemetry = await startTelemetry('test', { OTEL_METRICS_EXPORTER: 'none' })
    await using server = await startServer()
    await check(server.grpcAddress)
    expect((await fetch(`http://${server.opsAddress}/metrics`)).status).toBe(404)
    expect(openSpan({ kind: 'server', name: 'x', parent: {} })).toBeUndefined()
  })

  test('does not delay the end of a process when the collector is unreachable', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    silent.close()
    process.env[ENDPOINT] = `http://127.0.0.1:${port}`
    const telemetry = await startTelemetry('test', process.env)
    openSpan({ kind: 'consumer', name: 'x', parent: {} })?.end({}, 'failed')
    await expect(telemetry[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })
})
