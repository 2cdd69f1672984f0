import { connect } from 'node:http2'

import { create } from '@bufbuild/protobuf'
import { Code, createClient, type Client } from '@connectrpc/connect'
import {
  ExportTraceServiceRequestSchema,
  TraceService,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { createGrpcTransport, readRemoteError, type RpcTransport } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { newSpanId, newTraceId, toOtlpSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'
import { exportPart } from './support/raw-export.ts'

let platform: Platform
let transport: RpcTransport
let collector: Client<typeof TraceService>

beforeAll(async () => {
  platform = await startPlatform()
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  const owner = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  platform.neighbours.tokens.set('good', owner)
  transport = createGrpcTransport(platform.service.otlpGrpcAddresses, [TraceService])
  collector = createClient(TraceService, transport)
})
afterAll(async () => {
  transport?.[Symbol.dispose]()
  await platform?.[Symbol.asyncDispose]()
})

function request(...traceIds: readonly string[]) {
  const spans = traceIds.map((traceId) =>
    toOtlpSpan({ traceId, spanId: newSpanId(), startMs: Date.now() - 1000 }),
  )
  return create(ExportTraceServiceRequestSchema, { resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

test('stores spans, and counts invalid ones', async () => {
  const headers = { authorization: 'Bearer good' }
  const traceId = newTraceId()
  expect((await collector.export(request(traceId), { headers })).partialSuccess).toBeUndefined()
  expect((await collector.export(request('00'), { headers })).partialSuccess?.rejectedSpans).toBe(
    1n,
  )
  const { traces } = await platform.traces.listTraces(
    { account: 'acme', name: 'helper' },
    await platform.as('alice'),
  )
  expect(traces.map((trace) => trace.traceId)).toEqual([traceId])
})

test('rejects an unknown token', async () => {
  const error = await collector
    .export(request(newTraceId()), { headers: { authorization: 'Bearer bad' } })
    .catch((thrown: unknown) => thrown)
  expect(readRemoteError(error)).toMatchObject({
    code: Code.Unauthenticated,
    reason: 'ingest_token_unknown',
  })
})

test('rejects an unknown token before the message is sent', async () => {
  const session = connect(`http://${platform.service.otlpGrpcAddresses[0]}`)
  try {
    expect(await exportPart(session, 'bad', 0)).toBe(Code.Unauthenticated)
  } finally {
    session.destroy()
  }
})

describe('returns when to retry', () => {
  /** Returns the error of an export to a separate service. */
  async function errorOf(env: Readonly<Record<string, string>>, spans: number) {
    await using other = await startPlatform(env)
    other.neighbours.tokens.set('good', {
      accountId: 'a',
      agent: 'helper',
      deploymentId: 'd',
      buildId: 'b',
    })
    using channel = createGrpcTransport(other.service.otlpGrpcAddresses, [TraceService])
    const traceIds = Array.from({ length: spans }, newTraceId)
    const error = await createClient(TraceService, channel)
      .export(request(...traceIds), { headers: { authorization: 'Bearer good' } })
      .catch((thrown: unknown) => thrown)
    return readRemoteError(error)
  }

  test('when too many spans are being stored', async () => {
    const { code, retryAfterMs } = await errorOf({ OTLP_MAX_PENDING_BYTES: '20000' }, 1000)
    expect([code, retryAfterMs]).toEqual([Code.ResourceExhausted, 1000])
  })

  test('when the trace store is unavailable', async () => {
    const { code, reason, retryAfterMs } = await errorOf(
      { CLICKHOUSE_URL: 'http://127.0.0.1:1' },
      1,
    )
    expect([code, reason, retryAfterMs]).toEqual([
      Code.Unavailable,
      'trace_store_unavailable',
      5000,
    ])
  })
})
