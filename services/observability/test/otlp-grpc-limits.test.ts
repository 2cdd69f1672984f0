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

const newSpan = () => ({ traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() - 1000 })

function requestOf(spans: MessageInitShape<typeof SpanSchema>[]) {
  return create(ExportTraceServiceRequestSchema, { resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

describe('over gRPC the limits of the ingest hold:', () => {
  const ACME = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  const OTHER = { ...ACME, accountId: 'acc-2', deploymentId: 'dep-2' }

  test('a message that is too large is refused, a span that is too much is rejected', async () => {
    await using other = await startPlatform({ OTLP_MAX_BODY_BYTES: '10000' })
    other.neighbours.tokens.set('good', ACME)
    using channel = createGrpcTransport(other.service.otlpGrpcAddresses, [TraceService])
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

  test('who sends nothing takes the room of nobody else, and gives it back', async () => {
    await using other = await startPlatform({
      OTLP_BODY_TIMEOUT_MS: '5000',
      OTLP_MAX_BODY_BYTES: '10000',
      OTLP_MAX_PENDING_BYTES: '80000',
    })
    other.neighbours.tokens.set('good', ACME).set('other', OTHER)
    using channel = createGrpcTransport(other.service.otlpGrpcAddresses, [TraceService])
    const client = createClient(TraceService, channel)
    const send = (token: string) =>
      client.export(requestOf([toOtlpSpan(newSpan())]), {
        headers: { authorization: `Bearer ${token}` },
      })
    const session = connect(`http://${other.service.otlpGrpcAddresses[0]}`)
    try {
      const statuses = Array.from({ length: 3 }, async () => {
        const stream = session.request({
          ':method': 'POST',
          ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
          'content-type': 'application/grpc',
          te: 'trailers',
          authorization: 'Bearer good',
        })
        const status = Promise.withResolvers<number>()
        const look = (headers: Readonly<Record<string, unknown>>) => {
          if (headers['grpc-status'] !== undefined) status.resolve(Number(headers['grpc-status']))
        }
        stream.on('response', look).on('trailers', look).on('error', status.reject).resume()
        return await status.promise
      })
      // Two fill the share of their account, so the third is refused.
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
