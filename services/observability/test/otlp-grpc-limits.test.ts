import { connect } from 'node:http2'

import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Code, createClient } from '@connectrpc/connect'
import {
  ExportTraceServiceRequestSchema,
  TraceService,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import type { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { describe, expect, test } from 'vitest'

import { newSpanId, newTraceId, toOtlpSpan } from './support/otlp.ts'
import { startPlatform } from './support/platform.ts'
import { exportWithoutMessage } from './support/raw-export.ts'

const newSpan = () => ({ traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() - 1000 })

function requestOf(spans: MessageInitShape<typeof SpanSchema>[]) {
  return create(ExportTraceServiceRequestSchema, { resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

describe('OTLP over gRPC', () => {
  const ACME = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  const OTHER = { ...ACME, accountId: 'acc-2', deploymentId: 'dep-2' }

  test('rejects a message that is too large, or only a span that is too large', async () => {
    await using platform = await startPlatform({ OTLP_MAX_BODY_BYTES: '10000' })
    platform.neighbours.tokens.set('good', ACME)
    using channel = createGrpcTransport(platform.service.otlpGrpcAddresses, [TraceService])
    const client = createClient(TraceService, channel)
    const send = (spans: Parameters<typeof toOtlpSpan>[0][], attributes = 0) => {
      const [first, ...rest] = spans.map(toOtlpSpan)
      const many = { ...first, attributes: Array.from({ length: attributes }, () => ({})) }
      return client.export(requestOf([many, ...rest]), {
        headers: { authorization: 'Bearer good' },
      })
    }
    const error = await send(Array.from({ length: 500 }, newSpan)).catch(
      (thrown: unknown) => thrown,
    )
    expect(readRemoteError(error).code).toBe(Code.ResourceExhausted)
    const { partialSuccess } = await send([newSpan(), newSpan()], 2000)
    expect(partialSuccess?.rejectedSpans).toBe(1n)
  })

  test('limits calls without a message to the share of their account', async () => {
    await using platform = await startPlatform({
      OTLP_BODY_TIMEOUT_MS: '5000',
      OTLP_MAX_BODY_BYTES: '10000',
      OTLP_MAX_PENDING_BYTES: '80000',
    })
    platform.neighbours.tokens.set('good', ACME).set('other', OTHER)
    using channel = createGrpcTransport(platform.service.otlpGrpcAddresses, [TraceService])
    const client = createClient(TraceService, channel)
    const send = (token: string) =>
      client.export(requestOf([toOtlpSpan(newSpan())]), {
        headers: { authorization: `Bearer ${token}` },
      })
    const session = connect(`http://${platform.service.otlpGrpcAddresses[0]}`)
    try {
      const statuses = Array.from({ length: 3 }, () => exportWithoutMessage(session, 'good'))
      // Two use up the share of their account, so the third is rejected.
      expect(await Promise.race(statuses)).toBe(Code.ResourceExhausted)
      await send('other')
      expect((await Promise.all(statuses)).toSorted((a, b) => a - b)).toEqual([
        Code.DeadlineExceeded,
        Code.DeadlineExceeded,
        Code.ResourceExhausted,
      ])
      await send('good')
    } finally {
      session.destroy()
    }
  })
})
