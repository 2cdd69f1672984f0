import { once } from 'node:events'
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { gzipSync } from 'node:zlib'

import { createClient } from '@connectrpc/connect'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { status } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

// Bytes that arrive and are not yet decoded are bounded, against the limits as they are shipped.

const SERVICE = '/slipway.deployer.v1.WorkloadService'
const MIB = 1024 * 1024

let fixture: RpcFixture
const open: { destroy(): unknown }[] = []
beforeEach(async () => {
  fixture = await rpcFixture()
})
afterEach(async () => {
  // First, because the server waits for them.
  for (const connection of open.splice(0)) connection.destroy()
  await fixture[Symbol.asyncDispose]()
})

function openSession(): ClientHttp2Session {
  const session = connect(`http://${fixture.server.grpcAddress}`)
  session.on('error', () => {})
  open.push(session)
  return session
}

/** Announces a message, sends its bytes, and returns the gRPC status of the answer. */
async function sendPart(
  session: ClientHttp2Session,
  method: string,
  {
    announced,
    bytes,
    isCompressed = false,
    ...headers
  }: {
    readonly announced: number
    readonly bytes: Buffer
    readonly isCompressed?: boolean
    readonly authorization?: string
  },
): Promise<number> {
  const stream = session.request({
    ':method': 'POST',
    ':path': `${SERVICE}/${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...(isCompressed && { 'grpc-encoding': 'gzip' }),
    ...headers,
  })
  stream.on('error', () => {})
  stream.resume()
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(Number(isCompressed))
  prefix.writeUInt32BE(announced, 1)
  stream.write(Buffer.concat([prefix, bytes]))
  const answers = once(stream, 'response')
  // A call that isn't refused is destroyed at the end.
  answers.catch(() => {})
  const [answer] = (await answers) as [IncomingHttpHeaders]
  return Number(answer['grpc-status'])
}

const mallory = { authorization: 'Bearer user.mallory' }

describe('over gRPC', () => {
  test('a call without a token can hold no more than a small message', async () => {
    const part = { announced: 4 * MIB, bytes: Buffer.alloc(70 * 1024) }
    expect(await sendPart(openSession(), 'TriggerIngestion', part)).toBe(status.RESOURCE_EXHAUSTED)
  })

  test('a caller who holds many half-sent messages is refused; others are served', async () => {
    const part = { announced: 4 * MIB, bytes: Buffer.alloc(3 * MIB), ...mallory }
    const sessions = Array.from({ length: 8 }, openSession)
    const refused = sessions.flatMap((session) =>
      Array.from({ length: 2 }, () => sendPart(session, 'GetConfigMap', part)),
    )
    expect(await Promise.any(refused)).toBe(status.RESOURCE_EXHAUSTED)
    for (const call of refused) call.catch(() => {})
    const client = createClient(WorkloadService, fixture.grpc())
    const name = 'x'.repeat(3 * MIB)
    expect((await client.getConfigMap({ name }, asAlice)).name).toBe(name)
  })

  test('bytes that arrive after the end of a call take no memory', async () => {
    const session = openSession()
    for (let call = 0; call < 12; call += 1) {
      const stream = session.request({
        ':method': 'POST',
        ':path': `${SERVICE}/GetConfigMap`,
        'content-type': 'application/grpc',
        'grpc-timeout': '20m',
        te: 'trailers',
        ...mallory,
      })
      stream.on('error', () => {})
      stream.resume()
      const prefix = Buffer.alloc(5)
      prefix.writeUInt32BE(4 * MIB, 1)
      stream.write(Buffer.concat([prefix, Buffer.alloc(1000)]))
      await once(stream, 'response')
      const closed = once(stream, 'close')
      stream.end(Buffer.alloc(3.5 * MIB))
      await closed
    }
    const client = createClient(WorkloadService, fixture.grpc())
    const headers = { headers: mallory }
    expect((await client.getConfigMap({ name: 'x'.repeat(MIB) }, headers)).name).toHaveLength(MIB)
  })

  test('a compressed message counts with what it may decompress to', async () => {
    const bomb = gzipSync(Buffer.alloc(4 * MIB))
    const part = { announced: bomb.length, bytes: bomb, isCompressed: true, ...mallory }
    const session = openSession()
    const answers = Array.from({ length: 40 }, () => sendPart(session, 'GetConfigMap', part))
    expect(await Promise.race(answers)).toBe(status.RESOURCE_EXHAUSTED)
    const client = createClient(WorkloadService, fixture.grpc())
    expect((await client.getConfigMap({ name: 'x' }, asAlice)).name).toBe('x')
  })
})

describe('over Connect', () => {
  test('a caller who holds many half-sent messages is refused; others are served', async () => {
    const [host = '', port] = fixture.server.connectAddress.split(':')
    const answers = Array.from({ length: 16 }, async () => {
      const socket = connectTcp(Number(port), host)
      open.push(socket)
      socket.on('error', () => {})
      socket.write(
        `POST ${SERVICE}/GetConfigMap HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * MIB}\r\n` +
          `Authorization: ${mallory.authorization}\r\nContent-Type: application/proto\r\n\r\n`,
      )
      socket.write(Buffer.alloc(3 * MIB))
      const chunks = once(socket, 'data')
      chunks.catch(() => {})
      const [chunk] = (await chunks) as [Buffer]
      return chunk.toString()
    })
    const refused = await Promise.race(answers)
    expect(refused).toMatch(/^HTTP\/1.1 429 /)
    expect(refused).toContain('are being received; retry later')
    const client = createClient(WorkloadService, fixture.connectUnary())
    const name = 'x'.repeat(3 * MIB)
    expect((await client.getConfigMap({ name }, asAlice)).name).toBe(name)
  })
})
