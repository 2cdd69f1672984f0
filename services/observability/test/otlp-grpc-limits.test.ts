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
import { exportPart } from './support/raw-export.ts'

const MIB = 1024 * 1024

const newSpan = () => ({ traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() - 1000 })

function requestOf(spans: MessageInitShape<typeof SpanSchema>[]) {
  return create(ExportTraceServiceRequestSchema, { resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

describe('OTLP over gRPC', () => {
  const ACME = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  const OTHER = { ...ACME, accountId: 'acc-2', deploymentId: 'dep-2' }

  test('rejects a message that is too large, and no span because of its size', async () => {
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
    expect(partialSuccess?.rejectedSpans ?? 0n).toBe(0n)
  })

  test('calls of one user without a message, or with half of one, keep no one out', async () => {
    await using platform = await startPlatform({ OTLP_BODY_TIMEOUT_MS: '60000' })
    const accounts = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const account of accounts)
      platform.neighbours.tokens.set(account, {
        ...ACME,
        accountId: account,
        deployedBy: 'mallory',
      })
    platform.neighbours.tokens.set('other', { ...OTHER, deployedBy: 'alice' })
    using channel = createGrpcTransport(platform.service.otlpGrpcAddresses, [TraceService])
    const client = createClient(TraceService, channel)
    const send = (token: string) =>
      client.export(requestOf([toOtlpSpan(newSpan())]), {
        headers: { authorization: `Bearer ${token}` },
      })
    const calls = [...accounts, ...accounts].map((token) => ({
      token,
      session: connect(`http://${platform.service.otlpGrpcAddresses[0]}`),
    }))
    const callTimes = (times: number, bytes: number) =>
      calls.flatMap(({ session, token }) =>
        Array.from({ length: times }, () => exportPart(session, token, bytes)),
      )
    try {
      // Headers alone, enough of them to exceed the budget if each reserved a whole message.
      for (const ended of callTimes(8, 0)) ended.catch(() => {})
      await send('other')
      // Parts of messages, more than the user's share.
      expect(await Promise.any(callTimes(7, MIB))).toBe(Code.ResourceExhausted)
      await send('other')
    } finally {
      for (const { session } of calls) session.destroy()
    }
  })

  test('a call whose message does not arrive in time ends', async () => {
    await using platform = await startPlatform({ OTLP_BODY_TIMEOUT_MS: '500' })
    platform.neighbours.tokens.set('good', ACME)
    const session = connect(`http://${platform.service.otlpGrpcAddresses[0]}`)
    try {
      expect(await exportPart(session, 'good', 0)).toBe(Code.DeadlineExceeded)
    } finally {
      session.destroy()
    }
  })
})
