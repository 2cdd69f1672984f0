import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Code, createClient } from '@connectrpc/connect'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { PermissionDenied, Unavailable } from '../src/errors.ts'
import { createConnectUnaryTransport, readRemoteError, toDomainError } from '../src/rpc/index.ts'
import { lineProxy } from '@slipway/testing'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

/** No server listens there. */
const UNREACHABLE = '127.0.0.1:1'

let fixture: RpcFixture
beforeEach(async () => {
  fixture = await rpcFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const clientOf = (addresses?: readonly string[]) =>
  createClient(WorkloadService, fixture.connectUnary(addresses))
const codeOf = async (call: Promise<unknown>) =>
  readRemoteError(await call.catch((thrown: unknown) => thrown)).code

describe('the choice of a server', () => {
  test('a call that could not be sent goes to the next server, idempotent or not', async () => {
    const client = clientOf([UNREACHABLE, fixture.server.connectAddress, UNREACHABLE])
    for (let call = 1; call <= 6; call++) {
      expect(await client.restartPod({ pod: 'p' }, asAlice)).toMatchObject({ pod: 'p' })
      expect(fixture.calls.restartPod).toBe(call)
    }
  })

  test('servers are called round-robin', async () => {
    await using other = await rpcFixture()
    const client = clientOf([fixture.server.connectAddress, other.server.connectAddress])
    for (let call = 0; call < 10; call++) await client.getConfigMap({ name: 'n' }, asAlice)
    expect([fixture.calls.getConfigMap, other.calls.getConfigMap]).toEqual([5, 5])
  })

  test('a name is resolved to addresses', async () => {
    const [, port] = fixture.server.connectAddress.split(':')
    expect(
      await clientOf([`localhost:${port}`]).getConfigMap({ name: 'n' }, asAlice),
    ).toMatchObject({ name: 'n' })
    expect(await codeOf(clientOf([`nowhere.invalid:${port}`]).getConfigMap({}, asAlice))).toBe(
      Code.Unavailable,
    )
  })

  test('an unresolvable name affects neither other names nor a closed transport', async () => {
    const [, port] = fixture.server.connectAddress.split(':')
    const client = clientOf([`nowhere.invalid:${port}`, `localhost:${port}`])
    for (let call = 0; call < 3; call++) await client.restartPod({ pod: 'p' }, asAlice)
    const closed = createConnectUnaryTransport([`localhost:${port}`])
    const late = createClient(WorkloadService, closed).restartPod({ pod: 'p' }, asAlice)
    closed[Symbol.dispose]()
    closed[Symbol.dispose]()
    expect(await codeOf(late)).toBe(Code.Unavailable)
    expect(fixture.calls.restartPod).toBe(3)
  })

  test('an unreachable server is Unavailable', async () => {
    const client = clientOf()
    await client.getConfigMap({ name: 'n' }, asAlice)
    await fixture.server[Symbol.asyncDispose]()
    const error = await client
      .getConfigMap({ name: 'n' }, asAlice)
      .catch((thrown: unknown) => thrown)
    expect(toDomainError(error)).toBeInstanceOf(Unavailable)
    expect(toDomainError(error)).toHaveProperty(
      'message',
      'the deployer service is unreachable or too slow; retry later',
    )
    expect(toDomainError(error)).not.toBeInstanceOf(PermissionDenied)
  })

  test('no call is lost when one of two servers stops under load', async () => {
    await using other = await rpcFixture()
    const client = clientOf([fixture.server.connectAddress, other.server.connectAddress])
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
    const callsBefore = calls
    await expect.poll(() => calls).toBeGreaterThan(callsBefore + 100)
    isStopped = true
    await Promise.all(callers)
    expect(fixture.calls.restartPod + other.calls.restartPod).toBe(calls)
  })
})

describe('calls to an unavailable server', () => {
  test('are retried only if they have no side effects', async () => {
    const client = clientOf()
    expect(await codeOf(client.getConfigMap({ name: 'unavailable' }, asAlice))).toBe(
      Code.Unavailable,
    )
    expect(fixture.calls.getConfigMap).toBe(3)
    expect(await codeOf(client.restartPod({ pod: 'unavailable' }, asAlice))).toBe(Code.Unavailable)
    expect(fixture.calls.restartPod).toBe(1)
  })

  test('are not retried once most calls fail', async () => {
    const client = clientOf()
    for (let call = 0; call < 12; call++)
      await codeOf(client.getConfigMap({ name: 'unavailable' }, asAlice))
    const before = fixture.calls.getConfigMap
    await codeOf(client.getConfigMap({ name: 'unavailable' }, asAlice))
    expect(fixture.calls.getConfigMap).toBe(before + 1)
  })
})

test('a cancelled or expired call is not sent', async () => {
  const leaving = new AbortController()
  const call = clientOf().restartPod({ pod: 'p' }, { ...asAlice, signal: leaving.signal })
  leaving.abort()
  expect(await codeOf(call)).toBe(Code.Canceled)
  const late = clientOf().restartPod({ pod: 'p' }, { ...asAlice, timeoutMs: 0 })
  expect(await codeOf(late)).toBe(Code.DeadlineExceeded)
  expect(fixture.calls.restartPod).toBe(0)
})

test('a deadline can be far in the future', async () => {
  expect(await clientOf().restartPod({ pod: 'p' }, { ...asAlice, timeoutMs: 1e12 })).toMatchObject({
    pod: 'p',
  })
})

test('cancelling a call aborts its handler', async () => {
  const leaving = new AbortController()
  const call = clientOf().restartPod({ pod: 'endless' }, { ...asAlice, signal: leaving.signal })
  const reading = clientOf().getConfigMap({ name: 'slow' }, { ...asAlice, signal: leaving.signal })
  await expect.poll(() => fixture.lastSignal?.aborted).toBe(false)
  leaving.abort()
  expect(await codeOf(call)).toBe(Code.Canceled)
  expect(await codeOf(reading)).toBe(Code.Canceled)
  await expect.poll(() => fixture.lastSignal?.aborted).toBe(true)
})

test('connections are reused', async () => {
  await using line = await lineProxy(`http://${fixture.server.connectAddress}`)
  const client = clientOf([new URL(line.url).host])
  const many = async () =>
    await Promise.all(Array.from({ length: 20 }, () => client.getConfigMap({}, asAlice)))
  for (let round = 0; round < 20; round++) await many()
  expect(line.connections).toBeLessThan(100)
})

describe('a server of another protocol', () => {
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

  test('a gRPC listener is Unavailable', async () => {
    expect(await codeOf(clientOf([fixture.server.grpcAddress]).restartPod({}, asAlice))).toBe(
      Code.Unavailable,
    )
  })
})
