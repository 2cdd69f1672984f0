import { Code, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { Health, HealthCheckResponse_ServingStatus } from '@slipway/proto/grpc/health/v1/health'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { expect, test } from 'vitest'

import { PermissionDenied, Unavailable } from '../src/errors.ts'
import { createLogger } from '../src/logging/logger.ts'
import {
  createGrpcTransport,
  guardService,
  readRemoteError,
  startRpcServer,
  toDomainError,
} from '../src/rpc/index.ts'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

/** A server with a stream that ends only when its signal fires. */
async function startServer() {
  const dependencies = {
    logger: createLogger('test', 'silent'),
    tokenVerifier: { verify: () => Promise.reject(new Error('no token is expected')) },
  }
  const implementation = {
    async *streamLogs(_request: unknown, { signal }: { signal: AbortSignal }) {
      yield { data: Buffer.from('first') }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      signal.throwIfAborted()
    },
  }
  const methods = WorkloadService.methods.map(({ localName }) => localName)
  const forAnyone = Object.fromEntries(methods.map((name) => [name, 'public']))
  return await startRpcServer({
    ...dependencies,
    grpcAddress: '127.0.0.1:0',
    connectAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [
      guardService(
        WorkloadService,
        implementation as never,
        forAnyone as never,
        dependencies as never,
      ),
    ],
    checks: {},
    drainMs: 100,
  })
}

test.each(['native gRPC', 'Connect'])(
  'an endless stream over %s does not keep the server from stopping, and ends as unavailable',
  async (by) => {
    const server = await startServer()
    using grpc = createGrpcTransport([server.grpcAddress], [WorkloadService])
    const transport =
      by === 'Connect'
        ? createConnectTransport({ baseUrl: `http://${server.connectAddress}`, httpVersion: '1.1' })
        : grpc
    const pieces = createClient(WorkloadService, transport).streamLogs({})[Symbol.asyncIterator]()
    expect(Buffer.from((await pieces.next()).value?.data ?? '').toString()).toBe('first')
    const end = pieces.next().catch((error: unknown) => readRemoteError(error).code)
    await server[Symbol.asyncDispose]()
    expect(await end).toBe(Code.Unavailable)
  },
)

const CALLED_BY = [
  ['native gRPC', (fixture: RpcFixture) => fixture.grpc()],
  ['Connect, unary', (fixture: RpcFixture) => fixture.connectUnary()],
] as const

test.each(CALLED_BY)(
  'health is reported per service, and draining waits for running calls, over %s',
  async (_name, open) => {
    await using fixture = await rpcFixture()
    const { server, held } = fixture
    const transport = open(fixture)
    const health = createClient(Health, transport)
    expect(await health.check({})).toMatchObject({
      status: HealthCheckResponse_ServingStatus.SERVING,
    })
    expect(await health.check({ service: WorkloadService.typeName })).toMatchObject({
      status: HealthCheckResponse_ServingStatus.SERVING,
    })
    await expect(health.check({ service: 'unknown' })).rejects.toThrow('unknown service')
    const { statuses } = await health.list({})
    expect(Object.entries(statuses).map(([name, { status }]) => [name, status])).toEqual([
      ['', HealthCheckResponse_ServingStatus.SERVING],
      [WorkloadService.typeName, HealthCheckResponse_ServingStatus.SERVING],
    ])
    expect((await fetch(`http://${server.opsAddress}/readyz`)).status).toBe(200)

    const client = createClient(WorkloadService, transport)
    const running = client.getConfigMap({ name: 'held' }, asAlice)
    await expect.poll(() => fixture.lastSignal?.aborted).toBe(false)
    const stopped = server[Symbol.asyncDispose]()
    expect((await fetch(`http://${server.opsAddress}/readyz`)).status).toBe(503)
    expect((await fetch(`http://${server.opsAddress}/livez`)).status).toBe(200)
    held.resolve()
    expect(await running).toMatchObject({ name: 'held' })
    await stopped
  },
)

test('health and metrics have their own listener, without RPCs', async () => {
  await using fixture = await rpcFixture()
  const { opsAddress, connectAddress } = fixture.server
  const check = (address: string) =>
    fetch(`http://${address}/${Health.typeName}/Check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  expect((await check(connectAddress)).status).toBe(200)
  expect((await check(opsAddress)).status).toBe(404)
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect((await fetch(`http://${connectAddress}${path}`)).status).toBe(404)
})

test.each(CALLED_BY)(
  'an endless call is aborted when the server stops, over %s',
  async (_name, open) => {
    await using fixture = await rpcFixture({ drainMs: 100 })
    const client = createClient(WorkloadService, open(fixture))
    const running = client
      .restartPod({ pod: 'endless' }, asAlice)
      .catch((error: unknown) => readRemoteError(error).code)
    await expect.poll(() => fixture.calls.restartPod).toBe(1)
    await fixture.server[Symbol.asyncDispose]()
    expect(await running).toBe(Code.Unavailable)
  },
)

test('over gRPC, idempotent calls use another server, or are Unavailable', async () => {
  await using fixture = await rpcFixture()
  const { grpcAddress } = fixture.server
  const single = createClient(WorkloadService, fixture.grpc())
  const both = createClient(WorkloadService, fixture.grpc([grpcAddress, '127.0.0.1:1']))
  for (let call = 0; call < 6; call++)
    expect(await both.getConfigMap({ name: 'n' }, asAlice)).toMatchObject({ name: 'n' })
  await fixture.server[Symbol.asyncDispose]()
  const error = await single
    .getConfigMap({ name: 'n' }, { ...asAlice, timeoutMs: 2000 })
    .catch((thrown: unknown) => thrown)
  expect(toDomainError(error)).toBeInstanceOf(Unavailable)
  expect(toDomainError(error)).toHaveProperty(
    'message',
    expect.stringContaining('deployer service'),
  )
  expect(toDomainError(error)).not.toBeInstanceOf(PermissionDenied)
})
