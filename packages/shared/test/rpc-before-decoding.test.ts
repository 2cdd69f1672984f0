import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { gzipSync } from 'node:zlib'

import { Code } from '@connectrpc/connect'
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

// What a message costs must be bounded before it is decoded, and first its caller must be known.

const SERVICE = '/slipway.deployer.v1.WorkloadService'
const MIB = 1024 * 1024
/** 150,000 times the field 1, an empty string. */
const MANY_FIELDS = Buffer.from('0a00'.repeat(150_000), 'hex')
const MANY_ITEMS = Buffer.from(`{"unknown":[${Array(150_000).fill(0).join(',')}]}`)
const UNREADABLE = Buffer.from('0a7f41', 'hex')

let fixture: RpcFixture
beforeEach(async () => {
  fixture = await rpcFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

describe('over gRPC', () => {
  const asIs = (bytes: Buffer): Buffer => bytes

  async function call(method: string, message: Buffer, authorization?: string) {
    const client = new Client(fixture.server.grpcAddress, credentials.createInsecure())
    onTestFinished(() => client.close())
    const metadata = new Metadata()
    if (authorization) metadata.set('authorization', authorization)
    const path = `${SERVICE}/${method}`
    return await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest(path, asIs, asIs, message, metadata, resolve)
    })
  }

  test('a call without a token ends before its message is sent', async () => {
    const session = connectHttp2(`http://${fixture.server.grpcAddress}`)
    onTestFinished(() => session.close())
    for (const method of ['GetConfigMap', 'StreamLogs']) {
      const stream = session.request({
        ':method': 'POST',
        ':path': `${SERVICE}/${method}`,
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
      expect([method, headers['grpc-status']]).toEqual([method, String(status.UNAUTHENTICATED)])
      stream.close()
    }
  })

  test('a caller must be known before a message can be invalid or too large', async () => {
    for (const message of [UNREADABLE, MANY_FIELDS, Buffer.alloc(5 * MIB)])
      expect(await call('GetConfigMap', message)).toMatchObject({ code: status.UNAUTHENTICATED })
    const alice = asAlice.headers.authorization
    expect(await call('GetConfigMap', UNREADABLE, alice)).toMatchObject({
      code: status.INVALID_ARGUMENT,
    })
    expect(await call('GetConfigMap', Buffer.alloc(5 * MIB), alice)).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    })
    expect(fixture.calls.getConfigMap).toBe(0)
  })

  test('a message with too many values is not decoded', async () => {
    const error = await call('GetConfigMap', MANY_FIELDS, asAlice.headers.authorization)
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'the request has more than 100000 values; split it',
    })
    expect(String(error?.metadata.get('grpc-status-details-bin')[0])).toContain('too_large')
  })

  test('without a token, a message must be small even if none is required', async () => {
    const message = Buffer.concat([Buffer.from('0a80a004', 'hex'), Buffer.alloc(0x11000, 'x')])
    expect(await call('TriggerIngestion', message)).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: 'the message is larger than 65536 bytes',
    })
    expect(await call('TriggerIngestion', message, asAlice.headers.authorization)).toBeNull()
  })
})

describe('over Connect', () => {
  const url = (method: string) => `http://${fixture.server.connectAddress}${SERVICE}/${method}`

  async function post(
    type: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    method = 'GetConfigMap',
  ) {
    const response = await fetch(url(method), {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body: new Uint8Array(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  }

  test.each(['application/proto', 'application/json'])(
    'a call without a token ends before its %s is sent',
    async (type) => {
      const headers = { 'content-type': type, 'content-length': String(15 * MIB) }
      const sent = request(url('GetConfigMap'), { method: 'POST', headers })
      sent.on('error', () => {})
      sent.flushHeaders()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(401)
      sent.destroy()
    },
  )

  const enveloped = (message: Buffer, flags = 0): Buffer => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(message.length, 1)
    return Buffer.concat([head, message])
  }

  test.each([
    ['application/proto', UNREADABLE, MANY_FIELDS, {}],
    ['application/json', Buffer.from('{'), MANY_ITEMS, {}],
    [
      'application/proto',
      gzipSync(UNREADABLE),
      gzipSync(MANY_FIELDS),
      { 'content-encoding': 'gzip' },
    ],
    ['application/json', gzipSync('{'), gzipSync(MANY_ITEMS), { 'content-encoding': 'gzip' }],
  ])('an invalid or expensive %s is not decoded (%#)', async (type, unreadable, many, headers) => {
    for (const body of [unreadable, many])
      expect((await post(type, body, headers)).status).toBe(401)
    const known = { ...headers, ...asAlice.headers }
    expect(await post(type, unreadable, known)).toMatchObject({ status: 400 })
    const refused = await post(type, many, known)
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('the request has more than 100000 values; split it'),
    ])
    expect(fixture.calls.getConfigMap).toBe(0)
  })

  test.each([
    ['plain', enveloped(MANY_FIELDS), {}],
    ['compressed', enveloped(gzipSync(MANY_FIELDS), 1), { 'grpc-encoding': 'gzip' }],
  ])('an expensive %s gRPC-web message is not decoded', async (_name, body, headers) => {
    const type = 'application/grpc-web+proto'
    const codeIn = ({ headers: found, text }: { headers: Headers; text: string }) =>
      found.get('grpc-status') ?? /grpc-status: (\d+)/.exec(text)?.[1]
    expect(codeIn(await post(type, body, headers))).toBe(String(Code.Unauthenticated))
    const refused = await post(type, body, { ...headers, ...asAlice.headers })
    expect(codeIn(refused)).toBe(String(Code.InvalidArgument))
    expect(fixture.calls.getConfigMap).toBe(0)
  })

  test('an expensive message of a stream is not decoded', async () => {
    const body = enveloped(MANY_FIELDS)
    const refused = await post('application/connect+proto', body, asAlice.headers, 'StreamLogs')
    expect(refused.text).toContain('the request has more than 100000 values; split it')
  })

  test('without a token, a message must be small even if none is required', async () => {
    for (const type of ['application/proto', 'application/json']) {
      const small = type === 'application/json' ? '{}' : ''
      const large = Buffer.from(small.padEnd(0x11000, ' '))
      expect((await post(type, Buffer.from(small), {}, 'TriggerIngestion')).status).toBe(200)
      const refused = await post(type, large, {}, 'TriggerIngestion')
      expect([refused.status, refused.text]).toEqual([
        429,
        expect.stringContaining('larger than 65536 bytes'),
      ])
    }
  })

  test('a message that decompresses to more than the maximum is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * MIB))
    const headers = { 'content-encoding': 'gzip', ...asAlice.headers }
    expect((await post('application/proto', bomb, headers)).status).toBe(429)
  })
})
