import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, createClient } from '@connectrpc/connect'
import {
  GetConfigMapRequestSchema,
  GetConfigMapResponseSchema,
  WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { PermissionDenied, Unavailable } from '../src/errors.ts'
import { createConnectUnaryTransport, readRemoteError, toDomainError } from '../src/rpc/index.ts'
import { lineProxy } from '@slipway/testing'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

/** Nobody listens there. */
const NOBODY = '127.0.0.1:1'

let fixture: RpcFixture
beforeEach(async () => {
  fixture = await rpcFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const clientOf = (addresses?: readonly string[]) =>
  createClient(WorkloadService, fixture.connectUnary(addresses))
const codeOf = async (call: Promise<unknown>) =>
  readRemoteError(await call.catch((thrown: unknown) => thrown)).code

describe('which server is called', () => {
  test('a call that could not be sent goes to the next, whatever it does', async () => {
    const client = clientOf([NOBODY, fixture.server.opsAddress, NOBODY])
    for (let call = 1; call <= 6; call++) {
      expect(await client.restartPod({ pod: 'p' }, asAlice)).toMatchObject({ pod: 'p' })
      expect(fixture.calls.restartPod).toBe(call)
    }
  })

  test('servers are called in turn', async () => {
    await using other = await rpcFixture()
    const client = clientOf([fixture.server.opsAddress, other.server.opsAddress])
    for (let call = 0; call < 10; call++) await client.getConfigMap({ name: 'n' }, asAlice)
    expect([fixture.calls.getConfigMap, other.calls.getConfigMap]).toEqual([5, 5])
  })

  test('a name stands for what it resolves to', async () => {
    const [, port] = fixture.server.opsAddress.split(':')
    expect(
      await clientOf([`localhost:${port}`]).getConfigMap({ name: 'n' }, asAlice),
    ).toMatchObject({ name: 'n' })
    expect(await codeOf(clientOf([`nowhere.invalid:${port}`]).getConfigMap({}, asAlice))).toBe(
      Code.Unavailable,
    )
  })

  test('a name that can not be resolved takes nothing from the others, nor from what is closed', async () => {
    const [, port] = fixture.server.opsAddress.split(':')
    const client = clientOf([`nowhere.invalid:${port}`, `localhost:${port}`])
    for (let call = 0; call < 3; call++) await client.restartPod({ pod: 'p' }, asAlice)
    const closed = createConnectUnaryTransport([`localhost:${port}`])
    const late = createClient(WorkloadService, closed).restartPod({ pod: 'p' }, asAlice)
    closed[Symbol.dispose]()
    closed[Symbol.dispose]()
    expect(await codeOf(late)).toBe(Code.Unavailable)
    expect(fixture.calls.restartPod).toBe(3)
  })

  test('a server that is gone is Unavailable', async () => {
    const client = clientOf()
    await client.getConfigMap({ name: 'n' }, asAlice)
    await fixture.server[Symbol.asyncDispose]()
    const error = await client
      .getConfigMap({ name: 'n' }, asAlice)
      .catch((thrown: unknown) => thrown)
    expect(toDomainError(error)).toBeInstanceOf(Unavailable)
    expect(toDomainError(error)).not.toBeInstanceOf(PermissionDenied)
  })

  test('no call is lost when one of two servers stops under load', async () => {
    await using other = await rpcFixture()
    const client = clientOf([fixture.server.opsAddress, other.server.opsAddress])
    let isStopped = false
    let calls = 0
    const callers = Array.from({ length: 8 }, async () => {
      while (!isStopped) {
        await client.restartPod({ pod: 'p' }, asAlice)
        calls += 1
      }
    })
    await expect.poll(() => calls).toBeGreaterThan(100)
    await fixture.server[Symbol.asyncDispose]()
    const callsUntilThen = calls
    await expect.poll(() => calls).toBeGreaterThan(callsUntilThen + 100)
    isStopped = true
    await Promise.all(callers)
    expect(fixture.calls.restartPod + other.calls.restartPod).toBe(calls)
  })
})

describe('calls that a server could not do', () => {
  test('without side effects are tried again, others are not', async () => {
    const client = clientOf()
    expect(await codeOf(client.getConfigMap({ name: 'unavailable' }, asAlice))).toBe(
      Code.Unavailable,
    )
    expect(fixture.calls.getConfigMap).toBe(3)
    expect(await codeOf(client.restartPod({ pod: 'unavailable' }, asAlice))).toBe(Code.Unavailable)
    expect(fixture.calls.restartPod).toBe(1)
  })

  test('are not tried again once most calls fail', async () => {
    const client = clientOf()
    for (let call = 0; call < 12; call++)
      await codeOf(client.getConfigMap({ name: 'unavailable' }, asAlice))
    const before = fixture.calls.getConfigMap
    await codeOf(client.getConfigMap({ name: 'unavailable' }, asAlice))
    expect(fixture.calls.getConfigMap).toBe(before + 1)
  })
})

test('a caller that has gone, or whose time is over, calls nobody', async () => {
  const leaving = new AbortController()
  const call = clientOf().restartPod({ pod: 'p' }, { ...asAlice, signal: leaving.signal })
  leaving.abort()
  expect(await codeOf(call)).toBe(Code.Canceled)
  const late = clientOf().restartPod({ pod: 'p' }, { ...asAlice, timeoutMs: 0 })
  expect(await codeOf(late)).toBe(Code.DeadlineExceeded)
  expect(fixture.calls.restartPod).toBe(0)
})

test('a deadline may be as far off as it likes', async () => {
  expect(await clientOf().restartPod({ pod: 'p' }, { ...asAlice, timeoutMs: 1e12 })).toMatchObject({
    pod: 'p',
  })
})

test('a caller that goes away ends its call', async () => {
  const leaving = new AbortController()
  const call = clientOf().restartPod({ pod: 'endless' }, { ...asAlice, signal: leaving.signal })
  const reading = clientOf().getConfigMap({ name: 'slow' }, { ...asAlice, signal: leaving.signal })
  await expect.poll(() => fixture.lastSignal?.aborted).toBe(false)
  leaving.abort()
  expect(await codeOf(call)).toBe(Code.Canceled)
  expect(await codeOf(reading)).toBe(Code.Canceled)
  await expect.poll(() => fixture.lastSignal?.aborted).toBe(true)
})

test('connections are kept for the calls that follow', async () => {
  await using line = await lineProxy(`http://${fixture.server.opsAddress}`)
  const client = clientOf([new URL(line.url).host])
  const many = async () =>
    await Promise.all(Array.from({ length: 20 }, () => client.getConfigMap({}, asAlice)))
  for (let round = 0; round < 20; round++) await many()
  expect(line.connections).toBeLessThan(100)
})

describe('by hand', () => {
  const url = () =>
    `http://${fixture.server.opsAddress}/slipway.deployer.v1.WorkloadService/GetConfigMap`
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

  test('a plain message is understood, and a compressed one', async () => {
    expect(await nameIn(await post(message()))).toBe('n')
    expect(
      await nameIn(await post(new Uint8Array(gzipSync(message())), { 'content-encoding': 'gzip' })),
    ).toBe('n')
  })

  test('what is no message, no time or too large is refused', async () => {
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
    const tooLarge = await post(new Uint8Array(17 * 1024 * 1024)).then(refusal)
    expect(tooLarge).toEqual([429, 'resource_exhausted'])
    // The server goes on.
    expect(await nameIn(await post(message()))).toBe('n')
  })

  test('a body that breaks off calls nobody', async () => {
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
])('an error of unknown origin is passed on by %s, and harms nobody', async (_name, open) => {
  const behind = clientOf()
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

test('an answer given while the server stops asks for another connection, also when its call began before', async () => {
  const agent = new Agent({ keepAlive: true })
  const body = toBinary(
    GetConfigMapRequestSchema,
    create(GetConfigMapRequestSchema, { name: 'held' }),
  )
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      'content-type': 'application/proto',
      'content-length': body.length,
      ...asAlice.headers,
    }
    const path = '/slipway.deployer.v1.WorkloadService/GetConfigMap'
    request(
      `http://${fixture.server.opsAddress}${path}`,
      { method: 'POST', agent, headers },
      resolve,
    )
      .on('error', reject)
      .end(body)
  })
  await expect.poll(() => fixture.lastSignal).toBeDefined()
  const stopped = fixture.server[Symbol.asyncDispose]()
  fixture.held.resolve()
  const answer = await answered
  answer.resume()
  expect([answer.statusCode, answer.headers['connection']]).toEqual([200, 'close'])
  await stopped
  agent.destroy()
})

describe('what is no server of the protocol', () => {
  async function answering(status: number, type: string, body: string): Promise<Server> {
    const server = createServer((request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(status, { 'content-type': type }).end(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  test.each([
    [502, 'text/html', '<h1>Bad gateway</h1>', Code.Unavailable],
    [404, 'application/json', '{"error":"not found"}', Code.Unimplemented],
    [200, 'text/html', 'hello', Code.Unknown],
    [200, 'application/proto', '\u0001', Code.Internal],
  ])('status %i with %s %j is an error', async (status, type, body, code) => {
    const server = await answering(status, type, body)
    using transport = createConnectUnaryTransport([
      `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ])
    expect(await codeOf(createClient(WorkloadService, transport).restartPod({}, asAlice))).toBe(
      code,
    )
    server.close()
    server.closeAllConnections()
  })

  test('a gRPC listener is one that can not be talked to', async () => {
    expect(await codeOf(clientOf([fixture.server.grpcAddress]).restartPod({}, asAlice))).toBe(
      Code.Unavailable,
    )
  })
})
