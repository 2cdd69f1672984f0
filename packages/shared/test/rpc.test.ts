import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import {
  GetConfigMapRequestSchema,
  GetConfigMapResponseSchema,
  WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { waitFor } from '@slipway/testing'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { NotFound } from '../src/errors.ts'
import { readRemoteError, toDomainError } from '../src/rpc/index.ts'
import { asAlice, MANY_VIOLATIONS, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

let fixture: RpcFixture
beforeEach(async () => {
  fixture = await rpcFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const thrownBy = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown)

const STREAMING = [
  ['native gRPC', () => fixture.grpc()],
  [
    'Connect JSON',
    () =>
      createConnectTransport({
        baseUrl: `http://${fixture.server.connectAddress}`,
        httpVersion: '1.1',
      }),
  ],
  [
    'gRPC-web',
    () =>
      createGrpcWebTransport({
        baseUrl: `http://${fixture.server.connectAddress}`,
        httpVersion: '1.1',
      }),
  ],
] as const

describe.each([...STREAMING, ['Connect, unary', () => fixture.connectUnary()] as const])(
  'over %s',
  (_name, makeTransport) => {
    const client = () => createClient(WorkloadService, makeTransport())

    test('a call gets its response, and the handler its caller and request id', async () => {
      const answer = await client().getConfigMap({ name: 'n', namespace: 'ns' }, asAlice)
      expect(answer).toMatchObject({
        name: 'n',
        namespace: 'ns',
        data: { caller: 'alice', request: 'req-1' },
      })
    })

    test('a domain error keeps its code, reason and details', async () => {
      const error = await thrownBy(client().getConfigMap({ name: 'missing' }, asAlice))
      const { service: _service, ...parts } = readRemoteError(error)
      expect(parts).toEqual({
        code: Code.NotFound,
        reason: 'config_map_not_found',
        message: 'config map not found',
        metadata: { name: 'missing' },
        violations: [{ field: 'name', description: 'is unknown' }],
        retryAfterMs: 1500,
      })
      expect(toDomainError(error)).toBeInstanceOf(NotFound)
    })

    test('an error with too many violations lists some, and affects no other call', async () => {
      const other = client().getConfigMap({ name: 'held' }, asAlice)
      await waitFor(() => fixture.calls.getConfigMap === 1, { what: 'the other call' })
      const error = readRemoteError(
        await thrownBy(client().getConfigMap({ name: 'invalid' }, asAlice)),
      )
      const omitted = MANY_VIOLATIONS.length - error.violations.length
      expect(error).toMatchObject({
        code: Code.InvalidArgument,
        reason: 'invalid_argument',
        message: `the request is not valid (${omitted} more problems are not listed)`,
        metadata: { omitted_violations: String(omitted) },
      })
      expect(error.violations.length).toBeGreaterThan(50)
      expect(error.violations).toEqual(MANY_VIOLATIONS.slice(0, error.violations.length))
      fixture.held.resolve()
      expect(await other).toMatchObject({ name: 'held' })
    })

    test('an error that repeats long names truncates them, and affects no other call', async () => {
      const same = client()
      const other = same.getConfigMap({ name: 'held' }, asAlice)
      await waitFor(() => fixture.calls.getConfigMap === 1, { what: 'the other call' })
      const name = 'long'.padEnd(60_000, 'é')
      const error = readRemoteError(await thrownBy(same.getConfigMap({ name }, asAlice)))
      expect(error).toMatchObject({ code: Code.NotFound, reason: 'config_map_not_found' })
      expect(error.message).toMatch(/^config map longéé.*…/)
      expect(JSON.stringify(error).length).toBeLessThan(5_000)
      fixture.held.resolve()
      expect(await other).toMatchObject({ name: 'held' })
    })

    test('an unexpected error reveals nothing', async () => {
      const error = await thrownBy(client().getConfigMap({ name: 'bug' }, asAlice))
      expect(readRemoteError(error)).toMatchObject({
        code: Code.Internal,
        message: 'internal error',
      })
      expect(JSON.stringify(error)).not.toContain('secret detail')
    })

    test('access rules are enforced', async () => {
      const code = async (call: Promise<unknown>) =>
        readRemoteError(await call.catch((thrown: unknown) => thrown)).code
      const service = { headers: { authorization: 'Bearer service.reader' } }
      const other = { headers: { authorization: 'Bearer service.writer' } }
      expect(await code(client().getConfigMap({}))).toBe(Code.Unauthenticated)
      expect(
        await code(client().getConfigMap({}, { headers: { authorization: 'Bearer nonsense' } })),
      ).toBe(Code.Unauthenticated)
      expect(
        await code(client().getConfigMap({}, { headers: { authorization: 'Basic dXNlcg==' } })),
      ).toBe(Code.Unauthenticated)
      expect(await code(client().getConfigMap({}, service))).toBe(Code.PermissionDenied)
      expect(await code(client().resolveIngestToken({}, asAlice))).toBe(Code.PermissionDenied)
      expect(await code(client().resolveIngestToken({}, other))).toBe(Code.PermissionDenied)
      expect(await client().resolveIngestToken({}, service)).toMatchObject({ deploymentId: 'd' })
    })

    test('an optional caller may have an invalid token, but not an unverifiable one', async () => {
      const caller = async (authorization?: string) => {
        const { jobName } = await client().triggerIngestion(
          {},
          authorization ? { headers: { authorization } } : {},
        )
        return jobName
      }
      expect(await caller('Bearer user.alice')).toBe('alice')
      for (const invalid of [undefined, 'Bearer forged', 'Basic eDp5'])
        expect(await caller(invalid)).toBe('anonymous')
      await expect(caller('Bearer unknown')).rejects.toMatchObject({ code: Code.Unavailable })
    })

    test('a deadline ends the call, and aborts the handler', async () => {
      const slow = client()
      // On a busy machine the deadline can be over before the call reaches the handler.
      while (fixture.lastSignal === undefined) {
        const error = await slow
          .getConfigMap({ name: 'slow' }, { ...asAlice, timeoutMs: 200 })
          .catch((thrown: unknown) => thrown)
        expect(ConnectError.from(error).code).toBe(Code.DeadlineExceeded)
      }
      await expect.poll(() => fixture.lastSignal?.aborted).toBe(true)
    })
  },
)

test.each(STREAMING)(
  'a stream is complete, and its error has reason and details, over %s',
  async (_name, makeTransport) => {
    const client = createClient(WorkloadService, makeTransport())
    let bytes = 0
    const read = async () => {
      for await (const { data } of client.streamLogs({ pod: 'failing', tailLines: 5 }, asAlice))
        bytes += data.length
    }
    const error = await read().catch((thrown: unknown) => thrown)
    expect(bytes).toBe(50)
    expect(readRemoteError(error)).toMatchObject({
      code: Code.Unavailable,
      reason: 'kubelet_unavailable',
      retryAfterMs: 2000,
    })
  },
)

test('a plain grpc-js client gets responses and standard error details', async () => {
  const client = new Client(fixture.server.grpcAddress, credentials.createInsecure())
  onTestFinished(() => client.close())
  const call = async (name: string) => {
    const metadata = new Metadata()
    metadata.set('authorization', 'Bearer user.alice')
    return await new Promise<{ error: ServiceError | null; name: string | undefined }>(
      (resolve) => {
        client.makeUnaryRequest(
          '/slipway.deployer.v1.WorkloadService/GetConfigMap',
          (request: { name: string }) =>
            Buffer.from(
              toBinary(GetConfigMapRequestSchema, create(GetConfigMapRequestSchema, request)),
            ),
          (bytes) => fromBinary(GetConfigMapResponseSchema, bytes),
          { name },
          metadata,
          (error, answer) => resolve({ error, name: answer?.name }),
        )
      },
    )
  }
  expect(await call('n')).toEqual({ error: null, name: 'n' })
  const { error } = await call('missing')
  expect(error?.details).toBe('config map not found')
  expect(error?.code).toBe(Code.NotFound)
  expect(String(error?.metadata.get('grpc-status-details-bin')[0])).toContain(
    'config_map_not_found',
  )
})

test('a call with JSON by plain HTTP is supported', async () => {
  const post = async (body: string) =>
    await fetch(
      `http://${fixture.server.connectAddress}/slipway.deployer.v1.WorkloadService/GetConfigMap`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer user.alice' },
        body,
      },
    )
  const good = await post('{"name":"n"}')
  expect([good.status, await good.json()]).toMatchObject([
    200,
    { name: 'n', data: { caller: 'alice' } },
  ])
  const missing = await post('{"name":"missing"}')
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { code: 'not_found', message: 'config map not found' },
  ])
  expect((await post('{"name":')).status).toBe(400)
})

test('a slow reader pauses the handler, and one that leaves ends it', async () => {
  const client = createClient(WorkloadService, fixture.grpc())
  const leaving = new AbortController()
  const read = async () => {
    for await (const { data } of client.streamLogs(
      { pod: 'large', tailLines: 1000 },
      { ...asAlice, signal: leaving.signal },
    )) {
      expect(data).toHaveLength(100_000)
      expect(fixture.streamClosed).toBe(false)
      leaving.abort()
    }
  }
  await expect(read()).rejects.toThrow('abort')
  await expect.poll(() => fixture.streamClosed).toBe(true)
})
