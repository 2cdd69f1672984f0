import { fromBinary } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import { StatusSchema } from '@slipway/proto/google/rpc/status'
import { MetricsService } from '@slipway/proto/opentelemetry/proto/collector/metrics/v1/metrics_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { newAgent, startWithAccounts } from './support/agents.ts'
import { post } from './support/otlp.ts'
import { urlOf } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

const JSON_HEADERS = { 'content-type': 'application/json' }
const SIGNALS = ['traces', 'logs', 'metrics'] as const

describe.each(SIGNALS)('/v1/%s', (signal) => {
  const url = () => urlOf(signal, platform.ingestUrl)

  test('takes an empty request in both encodings, and answers in the same one', async () => {
    const { token } = newAgent(platform)
    const protobuf = await post(url(), token, new Uint8Array())
    expect([protobuf.status, (await protobuf.bytes()).length]).toEqual([200, 0])
    expect(protobuf.headers.get('content-type')).toBe('application/x-protobuf')
    const json = await post(url(), token, '{}', JSON_HEADERS)
    expect([json.status, await json.json()]).toEqual([200, {}])
  })

  test.each([
    ['without a token', '', 'the request has no ingest token; send it as the header "authoriz'],
    ['with an unknown token', 'Bearer unknown', 'the ingest token is not valid: it was replaced'],
  ])('explains a 401 in the encoding of the request %s', async (_, authorization, message) => {
    const protobuf = await post(url(), '', new Uint8Array(), { authorization })
    const status = fromBinary(StatusSchema, await protobuf.bytes())
    expect([protobuf.status, status.code, status.message]).toEqual([
      401,
      16,
      expect.stringContaining(message),
    ])
    const json = await post(url(), '', '{}', { ...JSON_HEADERS, authorization })
    expect([json.status, await json.json()]).toEqual([
      401,
      { code: 16, message: expect.stringContaining(message) as unknown },
    ])
  })

  test('rejects a body that is too large or has another type, with the limit', async () => {
    const { token } = newAgent(platform)
    const large = await post(url(), token, new Uint8Array((16 << 20) + 1))
    expect(fromBinary(StatusSchema, await large.bytes()).message).toBe(
      'the body is larger than 16777216 bytes',
    )
    const chunked = await fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', authorization: `Bearer ${token}` },
      body: new Blob([new Uint8Array((16 << 20) + 1)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
    await chunked.arrayBuffer()
    const text = await post(url(), token, 'x', { 'content-type': 'text/plain' })
    expect([text.status, await text.json()]).toEqual([
      415,
      {
        code: 3,
        message: 'the content type must be application/x-protobuf or application/json',
      },
    ])
  })
})

test.each(['traces', 'logs'])('names what is wrong with a body of %s', async (signal) => {
  const { token } = newAgent(platform)
  const url = urlOf(signal, platform.ingestUrl)
  const broken = await post(url, token, new Uint8Array([255, 255]))
  const message = `the body is not an OTLP request with ${signal}`
  expect(fromBinary(StatusSchema, await broken.bytes())).toMatchObject({ code: 3, message })
  const json = await post(url, token, '{', JSON_HEADERS)
  expect([json.status, await json.json()]).toEqual([400, { code: 3, message }])
})

test('names the paths that there are, in the encoding of the request', async () => {
  const url = urlOf('profiles', platform.ingestUrl)
  const message =
    'there is no POST /v1/profiles; send OTLP with POST to /v1/traces, /v1/logs or /v1/metrics'
  const protobuf = await post(url, '', new Uint8Array())
  expect(fromBinary(StatusSchema, await protobuf.bytes())).toMatchObject({ code: 5, message })
  const json = await post(url, '', '{}', JSON_HEADERS)
  expect([json.status, await json.json()]).toEqual([404, { code: 5, message }])
})

test('takes metrics of any content over HTTP and gRPC', async () => {
  const { token } = newAgent(platform)
  const url = urlOf('metrics', platform.ingestUrl)
  const garbage = new Uint8Array(1_000_000).fill(7)
  expect((await post(url, token, garbage)).status).toBe(200)
  expect((await post(url, token, garbage, { 'content-encoding': 'gzip' })).status).toBe(200)
  using transport = createGrpcTransport(platform.service.otlpGrpcAddresses, [MetricsService])
  const metrics = createClient(MetricsService, transport)
  const headers = { authorization: `Bearer ${token}` }
  expect((await metrics.export({}, { headers })).partialSuccess).toBeUndefined()
  const refused = await metrics.export({}).catch((error: unknown) => error)
  expect(readRemoteError(refused)).toMatchObject({ reason: 'ingest_token_missing' })
})
