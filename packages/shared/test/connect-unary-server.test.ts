import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, createClient } from '@connectrpc/connect'
import {
  GetConfigMapRequestSchema,
  GetConfigMapResponseSchema,
  WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { readRemoteError } from '../src/rpc/index.ts'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

let fixture: RpcFixture
beforeEach(async () => {
  fixture = await rpcFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

describe('plain HTTP', () => {
  const url = () =>
    `http://${fixture.server.connectAddress}/slipway.deployer.v1.WorkloadService/GetConfigMap`
  const post = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    await fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/proto', ...asAlice.headers, ...headers },
      body,
    })
  const message = () =>
    new Uint8Array(
      toBinary(GetConfigMapRequestSchema, create(GetConfigMapRequestSchema, { name: 'n' })),
    )
  const nameIn = async (response: Response) =>
    fromBinary(GetConfigMapResponseSchema, new Uint8Array(await response.arrayBuffer())).name

  test('plain and compressed messages are accepted', async () => {
    expect(await nameIn(await post(message()))).toBe('n')
    expect(
      await nameIn(await post(new Uint8Array(gzipSync(message())), { 'content-encoding': 'gzip' })),
    ).toBe('n')
  })

  test('invalid messages, invalid timeouts and large bodies are rejected', async () => {
    const refusal = async (response: Response) => [
      response.status,
      ((await response.json()) as { code: string }).code,
    ]
    expect(await refusal(await post(new Uint8Array([0x0a, 0x7f, 0x41])))).toEqual([
      400,
      'invalid_argument',
    ])
    expect(await refusal(await post(message(), { 'connect-timeout-ms': 'soon' }))).toEqual([
      400,
      'invalid_argument',
    ])
    const tooLarge = await post(new Uint8Array(5 * 1024 * 1024)).then(refusal)
    expect(tooLarge).toEqual([429, 'resource_exhausted'])
    // The server still works.
    expect(await nameIn(await post(message()))).toBe('n')
  })

  test('a truncated body does not reach the handler', async () => {
    const { port } = new URL(url())
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${new URL(url()).pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/proto\r\n`,
    )
    socket.write(`authorization: Bearer user.alice\r\ncontent-length: 100\r\n\r\nabc`)
    await once(socket, 'connect')
    socket.destroy()
    await once(socket, 'close')
    expect(await nameIn(await post(message()))).toBe('n')
    expect(fixture.calls.getConfigMap).toBe(1)
  })
})

test.each([
  ['gRPC', (next: RpcFixture) => createClient(WorkloadService, next.grpc())],
  ['Connect', (next: RpcFixture) => createClient(WorkloadService, next.connectUnary())],
])('an error of another service without a reason is passed on over %s', async (_name, open) => {
  const behind = createClient(WorkloadService, fixture.connectUnary())
  await using next = await rpcFixture({
    restartPod: ({ pod }) => behind.restartPod({ pod }, asAlice),
  })
  const client = open(next)
  for (const pod of ['bug', 'not-a-domain-error', 'bug']) {
    const error = await client.restartPod({ pod }, asAlice).catch((thrown: unknown) => thrown)
    expect(readRemoteError(error)).toMatchObject({ code: Code.Internal, reason: undefined })
  }
  expect(fixture.calls.restartPod).toBe(3)
})

test('a response asks for another connection if it is sent while the server stops', async () => {
  const agent = new Agent({ keepAlive: true })
  const body = toBinary(
    GetConfigMapRequestSchema,
    create(GetConfigMapRequestSchema, { name: 'held' }),
  )
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      'content-type': 'application/proto',
      'content-length': body.length,
      ...asAlice.headers,
    }
    const path = '/slipway.deployer.v1.WorkloadService/GetConfigMap'
    request(
      `http://${fixture.server.connectAddress}${path}`,
      { method: 'POST', agent, headers },
      resolve,
    )
      .on('error', reject)
      .end(body)
  })
  await expect.poll(() => fixture.lastSignal).toBeDefined()
  const stopped = fixture.server[Symbol.asyncDispose]()
  fixture.held.resolve()
  const response = await responded
  response.resume()
  expect([response.statusCode, response.headers['connection']]).toEqual([200, 'close'])
  await stopped
  agent.destroy()
})
