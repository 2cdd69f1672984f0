import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient, type ServiceImpl } from '@connectrpc/connect'
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import {
  GetConfigMapRequestSchema,
  GetConfigMapResponseSchema,
  WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { Health, HealthCheckResponse_ServingStatus } from '@slipway/proto/grpc/health/v1/health'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { NotFound, PermissionDenied, Unauthenticated, Unavailable } from '../src/errors.ts'
import { createLogger } from '../src/logger.ts'
import {
  createGrpcTransport,
  guardService,
  optionalUser,
  readRemoteError,
  requireUser,
  startRpcServer,
  toDomainError,
  type RpcServer,
} from '../src/rpc/index.ts'

const logger = createLogger('test', 'silent')

/** Tokens of this test are their own caller: `user:NAME` or `service:NAME`. Verification itself is tested elsewhere. */
const tokenVerifier = {
  async verify(token: string) {
    const [kind, name = ''] = token.split('.')
    const expireTime = new Date(Date.now() + 60_000)
    const profile = {
      preferredUsername: name,
      email: undefined,
      givenName: undefined,
      familyName: undefined,
      name: undefined,
    }
    if (kind === 'user') return { kind: 'user', realm: 'test', subject: name, profile, expireTime, token } as const
    if (kind === 'service') return { kind: 'service', name, expireTime } as const
    if (kind === 'unknown') throw new Unavailable('issuer_unavailable', 'the token issuer can not be reached')
    throw new Unauthenticated('invalid_token', 'the access token is not valid')
  },
}

let lastSignal: AbortSignal | undefined
/** What the call `held` waits for. */
let held = Promise.withResolvers<void>()
let streamClosed = false

const implementation: ServiceImpl<typeof WorkloadService> = {
  async getConfigMap({ name, namespace }, context) {
    lastSignal = context.signal
    if (name === 'missing')
      throw new NotFound('config_map_not_found', 'config map not found', {
        metadata: { name },
        retryAfterMs: 1500,
        violations: [{ field: 'name', description: 'is unknown' }],
      })
    if (name === 'bug') throw new TypeError('secret detail of a bug')
    if (name === 'held') await held.promise
    if (name === 'slow')
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }))
    return {
      name,
      namespace,
      data: { caller: requireUser(context).subject, request: context.requestHeader.get('x-request-id') ?? '' },
    }
  },
  async *streamLogs({ pod, tailLines }, context) {
    try {
      for (let line = 0; line < tailLines; line++) {
        context.signal.throwIfAborted()
        yield { data: Buffer.alloc(pod === 'large' ? 100_000 : 10, 'x') }
      }
      if (pod === 'failing')
        throw new Unavailable('kubelet_unavailable', 'the node can not be reached', { retryAfterMs: 2000 })
      if (pod === 'endless')
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }))
    } finally {
      streamClosed = true
    }
  },
  restartPod: ({ pod }) => ({ pod }),
  triggerIngestion: (_request, context) => ({ jobName: optionalUser(context)?.subject ?? 'nobody' }),
  resolveIngestToken: () => ({ deploymentId: 'd', accountId: 'a', agent: 'x', buildId: 'b' }),
}

let server: RpcServer
const cleanup: (() => unknown)[] = []

beforeEach(async () => {
  streamClosed = false
  lastSignal = undefined
  held = Promise.withResolvers()
  const access = {
    getConfigMap: 'user',
    streamLogs: 'user',
    restartPod: 'user',
    triggerIngestion: 'optional',
    resolveIngestToken: 'service',
  } as const
  server = await startRpcServer({
    logger,
    tokenVerifier,
    grpcAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [guardService(WorkloadService, implementation as never, access as never, { logger, tokenVerifier })],
    checks: {},
  })
})

afterEach(async () => {
  for (const end of cleanup.splice(0).reverse()) await end()
  await server[Symbol.asyncDispose]()
})

function grpcTransport(addresses = [server.grpcAddress]) {
  const transport = createGrpcTransport(addresses, [WorkloadService])
  cleanup.push(() => transport[Symbol.dispose]())
  return transport
}

const asAlice = { headers: { authorization: 'Bearer user.alice', 'x-request-id': 'req-1' } }

describe.each([
  ['native gRPC', () => grpcTransport()],
  ['Connect JSON', () => createConnectTransport({ baseUrl: `http://${server.opsAddress}`, httpVersion: '1.1' })],
  ['gRPC-web', () => createGrpcWebTransport({ baseUrl: `http://${server.opsAddress}`, httpVersion: '1.1' })],
])('through %s', (_name, makeTransport) => {
  const client = () => createClient(WorkloadService, makeTransport())

  test('a call comes back with its answer, caller and request id', async () => {
    const answer = await client().getConfigMap({ name: 'n', namespace: 'ns' }, asAlice)
    expect(answer).toMatchObject({ name: 'n', namespace: 'ns', data: { caller: 'alice', request: 'req-1' } })
  })

  test('a domain error keeps its code, reason and details', async () => {
    const error = await client()
      .getConfigMap({ name: 'missing' }, asAlice)
      .catch((thrown: unknown) => thrown)
    expect(readRemoteError(error)).toEqual({
      code: Code.NotFound,
      reason: 'config_map_not_found',
      message: 'config map not found',
      metadata: { name: 'missing' },
      violations: [{ field: 'name', description: 'is unknown' }],
      retryAfterMs: 1500,
    })
    expect(toDomainError(error)).toBeInstanceOf(NotFound)
  })

  test('an unexpected error tells nothing about itself', async () => {
    const error = await client()
      .getConfigMap({ name: 'bug' }, asAlice)
      .catch((thrown: unknown) => thrown)
    expect(readRemoteError(error)).toMatchObject({ code: Code.Internal, message: 'internal error' })
    expect(JSON.stringify(error)).not.toContain('secret detail')
  })

  test('a stream arrives whole, and its error with reason and details', async () => {
    let bytes = 0
    const read = async () => {
      for await (const { data } of client().streamLogs({ pod: 'failing', tailLines: 5 }, asAlice)) bytes += data.length
    }
    const error = await read().catch((thrown: unknown) => thrown)
    expect(bytes).toBe(50)
    expect(readRemoteError(error)).toMatchObject({
      code: Code.Unavailable,
      reason: 'kubelet_unavailable',
      retryAfterMs: 2000,
    })
  })

  test('who may call is enforced', async () => {
    const code = async (call: Promise<unknown>) => readRemoteError(await call.catch((thrown: unknown) => thrown)).code
    const service = { headers: { authorization: 'Bearer service.catalog' } }
    expect(await code(client().getConfigMap({}))).toBe(Code.Unauthenticated)
    expect(await code(client().getConfigMap({}, { headers: { authorization: 'Bearer nonsense' } }))).toBe(
      Code.Unauthenticated,
    )
    expect(await code(client().getConfigMap({}, { headers: { authorization: 'Basic dXNlcg==' } }))).toBe(
      Code.Unauthenticated,
    )
    expect(await code(client().getConfigMap({}, service))).toBe(Code.PermissionDenied)
    expect(await code(client().resolveIngestToken({}, asAlice))).toBe(Code.PermissionDenied)
    expect(await client().resolveIngestToken({}, service)).toMatchObject({ deploymentId: 'd' })
  })

  test('where a caller is optional, a token that is refused counts as none, one that can not be checked does not', async () => {
    const caller = async (authorization?: string) => {
      const { jobName } = await client().triggerIngestion({}, authorization ? { headers: { authorization } } : {})
      return jobName
    }
    expect(await caller('Bearer user.alice')).toBe('alice')
    for (const none of [undefined, 'Bearer forged', 'Basic eDp5']) expect(await caller(none)).toBe('nobody')
    await expect(caller('Bearer unknown')).rejects.toMatchObject({ code: Code.Unavailable })
  })

  test('a deadline ends the call here and tells the handler', async () => {
    const slow = client()
    // Where this machine does nothing for a while, the deadline is over before the call has come to the handler.
    while (lastSignal === undefined) {
      const error = await slow
        .getConfigMap({ name: 'slow' }, { ...asAlice, timeoutMs: 200 })
        .catch((thrown: unknown) => thrown)
      expect(ConnectError.from(error).code).toBe(Code.DeadlineExceeded)
    }
    await expect.poll(() => lastSignal?.aborted).toBe(true)
  })
})

test('a plain grpc-js client is understood, and gets the standard error details', async () => {
  const client = new Client(server.grpcAddress, credentials.createInsecure())
  cleanup.push(() => client.close())
  const call = async (name: string) => {
    const metadata = new Metadata()
    metadata.set('authorization', 'Bearer user.alice')
    return await new Promise<{ error: ServiceError | null; name: string | undefined }>((resolve) => {
      client.makeUnaryRequest(
        '/slipway.deployer.v1.WorkloadService/GetConfigMap',
        (request: { name: string }) =>
          Buffer.from(toBinary(GetConfigMapRequestSchema, create(GetConfigMapRequestSchema, request))),
        (bytes) => fromBinary(GetConfigMapResponseSchema, bytes),
        { name },
        metadata,
        (error, answer) => resolve({ error, name: answer?.name }),
      )
    })
  }
  expect(await call('n')).toEqual({ error: null, name: 'n' })
  const { error } = await call('missing')
  expect(error?.details).toBe('config map not found')
  expect(error?.code).toBe(Code.NotFound)
  expect(String(error?.metadata.get('grpc-status-details-bin')[0])).toContain('config_map_not_found')
})

test('curl with JSON is understood', async () => {
  const post = async (body: string) =>
    await fetch(`http://${server.opsAddress}/slipway.deployer.v1.WorkloadService/GetConfigMap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer user.alice' },
      body,
    })
  const good = await post('{"name":"n"}')
  expect([good.status, await good.json()]).toMatchObject([200, { name: 'n', data: { caller: 'alice' } }])
  const missing = await post('{"name":"missing"}')
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { code: 'not_found', message: 'config map not found' },
  ])
  expect((await post('{"name":')).status).toBe(400)
})

test('a reader that is slow holds the handler back, one that goes away ends it', async () => {
  const client = createClient(WorkloadService, grpcTransport())
  const leaving = new AbortController()
  const read = async () => {
    for await (const { data } of client.streamLogs(
      { pod: 'large', tailLines: 1000 },
      { ...asAlice, signal: leaving.signal },
    )) {
      expect(data).toHaveLength(100_000)
      expect(streamClosed).toBe(false)
      leaving.abort()
    }
  }
  await expect(read()).rejects.toThrow('abort')
  await expect.poll(() => streamClosed).toBe(true)
})

test('health tells each service, and draining lets running calls end', async () => {
  const transport = grpcTransport()
  const health = createClient(Health, transport)
  expect(await health.check({})).toMatchObject({ status: HealthCheckResponse_ServingStatus.SERVING })
  expect(await health.check({ service: WorkloadService.typeName })).toMatchObject({
    status: HealthCheckResponse_ServingStatus.SERVING,
  })
  await expect(health.check({ service: 'nobody' })).rejects.toThrow('unknown service')
  expect((await fetch(`http://${server.opsAddress}/readyz`)).status).toBe(200)

  const client = createClient(WorkloadService, transport)
  const running = client.getConfigMap({ name: 'held' }, asAlice)
  await expect.poll(() => lastSignal?.aborted).toBe(false)
  const stopped = server[Symbol.asyncDispose]()
  held.resolve()
  expect(await running).toMatchObject({ name: 'held' })
  await stopped
})

test('a server that is gone is Unavailable, and its idempotent calls are tried elsewhere', async () => {
  const { grpcAddress } = server
  const lonely = createClient(WorkloadService, grpcTransport())
  const both = createClient(WorkloadService, grpcTransport([grpcAddress, '127.0.0.1:1']))
  for (let call = 0; call < 6; call++)
    expect(await both.getConfigMap({ name: 'n' }, asAlice)).toMatchObject({ name: 'n' })
  await server[Symbol.asyncDispose]()
  const error = await lonely
    .getConfigMap({ name: 'n' }, { ...asAlice, timeoutMs: 2000 })
    .catch((thrown: unknown) => thrown)
  expect(toDomainError(error)).toBeInstanceOf(Unavailable)
  expect(toDomainError(error)).not.toBeInstanceOf(PermissionDenied)
})
