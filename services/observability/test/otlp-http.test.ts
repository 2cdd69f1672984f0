import { gzipSync } from 'node:zlib'

import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listTraces, newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import {
  encodeRequest,
  newSpanId,
  newTraceId,
  post,
  sendSpans,
  toOtlpSpan,
} from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

describe('POST /v1/traces', () => {
  test('accepts gzipped JSON with hexadecimal ids', async () => {
    const { name, token } = newAgent(platform)
    const span = {
      traceId: newTraceId().toUpperCase(),
      spanId: newSpanId(),
      name: 'json',
      startTimeUnixNano: `${Date.now() - 1000}000000`,
      endTimeUnixNano: `${Date.now()}000000`,
      status: { code: 2, message: 'broken' },
      attributes: [{ key: 'input.value', value: { stringValue: 'q' } }],
      unknownField: 1,
    }
    const body = gzipSync(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const response = await post(platform.ingestUrl, token, new Uint8Array(body), headers)
    expect([response.status, await response.json()]).toEqual([200, {}])
    const { traces } = await listTraces(platform, name)
    expect(traces).toMatchObject([
      { traceId: span.traceId.toLowerCase(), name: 'json', status: TraceStatus.ERROR },
    ])
  })

  test.each(['Application/JSON; charset=utf-8', 'APPLICATION/json ;v=1'])(
    'accepts JSON as %s',
    async (type) => {
      const { token } = newAgent(platform)
      const response = await post(platform.ingestUrl, token, '{}', { 'content-type': type })
      expect([response.status, await response.json()]).toEqual([200, {}])
    },
  )

  test('accepts as many bytes of JSON as of protobuf', async () => {
    const { name, token } = newAgent(platform)
    const [start, end] = [`${Date.now() - 1000}000000`, `${Date.now()}000000`]
    const times = { startTimeUnixNano: start, endTimeUnixNano: end }
    const long = { key: 'long', value: { stringValue: 'x'.repeat(1024 * 1024) } }
    const spans = Array.from({ length: 30 }, () => ({
      traceId: newTraceId(),
      spanId: newSpanId(),
      name: 'json',
      ...times,
      attributes: [long],
    }))
    const body = gzipSync(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const response = await post(platform.ingestUrl, token, new Uint8Array(body), headers)
    expect([response.status, await response.json()]).toEqual([200, {}])
    const { traces } = await listTraces(platform, name)
    expect(traces).toHaveLength(spans.length)
  })

  test('accepts an empty request', async () => {
    const { token } = newAgent(platform)
    expect((await post(platform.ingestUrl, token, new Uint8Array())).status).toBe(200)
  })

  test('returns 200 or 400 for random bodies', async () => {
    const { token } = newAgent(platform)
    const good = Buffer.from(encodeRequest([toOtlpSpan(rootSpan({ attributes: { a: 'b' } }))]))
    const damaged = fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
      .map((changes) => {
        const body = Buffer.from(good)
        for (const [at, byte] of changes) body[at] = byte
        return new Uint8Array(body)
      })
    const protobuf = fc.oneof(
      damaged,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
    )
    const json = fc
      .json({ maxDepth: 6 })
      .map((text) => `{"resourceSpans":[{"scopeSpans":[{"spans":[${text}]}]}]}`)
    await fc.assert(
      fc.asyncProperty(protobuf, json, async (bytes, text) => {
        const answers = await Promise.all([
          post(platform.ingestUrl, token, bytes),
          post(platform.ingestUrl, token, text, { 'content-type': 'application/json' }),
        ])
        for (const answer of answers) {
          await answer.arrayBuffer()
          expect([200, 400]).toContain(answer.status)
        }
      }),
      { numRuns: rounds(50) },
    )
  })
})

describe('POST /v1/traces rejects', () => {
  const good = () => encodeRequest([toOtlpSpan(rootSpan())])

  test.each([
    ['a request without a token', { authorization: '' }],
    ['an unknown token', { authorization: 'Bearer unknown' }],
    ['basic credentials', { authorization: 'Basic dG9rZW46' }],
  ])('%s', async (_, headers) => {
    const response = await post(platform.ingestUrl, '', good(), headers)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test.each([
    ['invalid protobuf', new Uint8Array([255, 255]), {}, 400],
    ['invalid JSON', '{', { 'content-type': 'application/json' }, 400],
    ['another content type', 'x', { 'content-type': 'text/plain' }, 415],
    ['another content encoding', 'x', { 'content-encoding': 'br' }, 415],
    ['invalid gzip', 'x', { 'content-encoding': 'gzip' }, 400],
    [
      'a body that is too large after decompression',
      new Uint8Array(gzipSync(Buffer.alloc(65 << 20))),
      { 'content-encoding': 'gzip' },
      413,
    ],
    ['a body that is too large', new Uint8Array((16 << 20) + 1), {}, 413],
  ])('%s', async (_, body, headers, status) => {
    const { token } = newAgent(platform)
    const response = await post(platform.ingestUrl, token, body, headers)
    expect(response.status).toBe(status)
  })

  test('invalid spans with a count and reasons, and stores the others', async () => {
    const { name, token } = newAgent(platform)
    const now = Date.now()
    const answer = await sendSpans(platform.ingestUrl, token, [
      rootSpan(),
      rootSpan({ traceId: '00'.repeat(16) }),
      rootSpan({ traceId: 'ab' }),
      rootSpan({ spanId: '' }),
      rootSpan({ startMs: 0 }),
      rootSpan({ startMs: now - 31 * 86_400_000 }),
      rootSpan({ startMs: now + 2 * 86_400_000 }),
      rootSpan({ durationMs: -1 }),
      rootSpan({ durationMs: 3 * 86_400_000 }),
    ])
    expect(answer.partialSuccess?.rejectedSpans).toBe(6n)
    expect(answer.partialSuccess?.errorMessage).toContain(
      '2 × the span is older than the retention period',
    )
    expect(await listTraces(platform, name)).toMatchObject({ total: 3n })
  })
})
