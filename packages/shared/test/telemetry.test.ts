import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { fromBinary } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import { Health } from '@slipway/proto/grpc/health/v1/health'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import type { Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { afterEach, describe, expect, test } from 'vitest'

import { createLogger } from '../src/logger.ts'
import { createGrpcTransport, startRpcServer } from '../src/rpc/index.ts'
import { measureHttpRequest, openSpan, startTelemetry } from '../src/telemetry/index.ts'
import { waitFor } from '../src/testing/index.ts'

const TRACE_ID = 'a'.repeat(32)
const PARENT_ID = 'b'.repeat(16)
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'

afterEach(() => {
  delete process.env[ENDPOINT]
})

/** A collector of traces on a free port. */
async function startCollector() {
  const spans: Span[] = []
  async function take(request: IncomingMessage): Promise<void> {
    const sent = await buffer(request)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const { resourceSpans } = fromBinary(ExportTraceServiceRequestSchema, body)
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
  }
  const server = createHttpServer((request, response) => void take(request).finally(() => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { spans, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() }
}

async function startServer() {
  return await startRpcServer({
    grpcAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [],
    checks: {},
    logger: createLogger('test', 'silent'),
    tokenVerifier: { verify: () => Promise.reject(new Error('not asked')) },
  })
}

async function check(grpcAddress: string): Promise<void> {
  using transport = createGrpcTransport([grpcAddress], [Health])
  await createClient(Health, transport).check({}, { headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` } })
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
    expect(text).toMatch(
      /rpc_server_call_duration_count\{rpc_method="grpc.health.v1.Health\/Check",rpc_response_status_code="ok"\} 1/,
    )
    expect(text).toMatch(/http_server_request_duration_bucket\{.*http_route="\/api\/v1\/agents".*le="0.0025"\} 1/)
  })

  test('sends a span of each RPC in the trace of its caller', async () => {
    await using collector = await startCollector()
    process.env[ENDPOINT] = collector.url
    {
      await using _telemetry = await startTelemetry('test', process.env)
      await using server = await startServer()
      await check(server.grpcAddress)
    }
    await waitFor(() => collector.spans.length > 0, { what: 'the span' })
    const [span] = collector.spans
    expect(span?.name).toBe('grpc.health.v1.Health/Check')
    expect(Buffer.from(span?.traceId ?? []).toString('hex')).toBe(TRACE_ID)
    expect(Buffer.from(span?.parentSpanId ?? []).toString('hex')).toBe(PARENT_ID)
  })

  test('is nothing when it is off', async () => {
    await using _telemetry = await startTelemetry('test', { OTEL_METRICS_EXPORTER: 'none' })
    await using server = await startServer()
    await check(server.grpcAddress)
    expect((await fetch(`http://${server.opsAddress}/metrics`)).status).toBe(404)
    expect(openSpan({ kind: 'server', name: 'x', traceparent: undefined })).toBeUndefined()
  })

  test('does not hold up the end of a process whose collector is gone', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    silent.close()
    process.env[ENDPOINT] = `http://127.0.0.1:${port}`
    const telemetry = await startTelemetry('test', process.env)
    openSpan({ kind: 'consumer', name: 'x', traceparent: undefined })?.end({}, 'failed')
    await expect(telemetry[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })
})
