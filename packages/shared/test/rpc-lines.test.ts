import { createClient, type ServiceImpl } from '@connectrpc/connect'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Caller } from '../src/auth/caller.ts'
import { createLogger } from '../src/logging/logger.ts'
import {
  createGrpcTransport,
  guardService,
  startRpcServer,
  type RpcServer,
} from '../src/rpc/index.ts'

// The log must name the caller of every call, and callers must not be able to forge lines.

const HOSTILE = 'eve","code":"ok","subject":"alice\n{"event":"rpc"}\u0007 \ud800é'

const lines: string[] = []
const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) })
const callers: Readonly<Record<string, Caller>> = {
  alice: userOf('alice'),
  hostile: userOf(HOSTILE),
  deployer: { kind: 'service', name: 'deployer', expireTime: new Date() },
}
const tokenVerifier = {
  async verify(token: string): Promise<Caller> {
    const caller = callers[token]
    if (caller === undefined) throw new Error(`unknown token ${token}`)
    return caller
  },
}
const implementation = {
  restartPod({ pod }: { pod: string }) {
    if (pod === 'bug') throw new TypeError('a bug')
    return { pod }
  },
}

let server: RpcServer
beforeAll(async () => {
  const access = {
    streamLogs: 'user',
    getConfigMap: 'user',
    restartPod: 'user',
    triggerIngestion: 'user',
    resolveIngestToken: { services: ['observability'] },
  } as const
  const guarded = guardService(
    WorkloadService,
    implementation as unknown as ServiceImpl<typeof WorkloadService>,
    access,
    { logger, tokenVerifier },
  )
  server = await startRpcServer({
    logger,
    tokenVerifier,
    grpcAddress: '127.0.0.1:0',
    connectAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [guarded],
    checks: {},
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

/** The log line of a call that restarts a pod. */
async function lineOf(token: string, pod: string): Promise<Record<string, unknown>> {
  lines.length = 0
  using transport = createGrpcTransport([server.grpcAddress], [WorkloadService])
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  const call = createClient(WorkloadService, transport).restartPod({ pod }, { headers })
  await Promise.allSettled([call])
  const found = lines.filter((line) => line.includes('restartPod') || line.includes('RestartPod'))
  expect([found.length, found[0]?.indexOf('\n')]).toEqual([1, (found[0]?.length ?? 0) - 1])
  return JSON.parse(found[0] ?? '')
}

test('the line of a call names its caller, even after an error', async () => {
  expect(await lineOf('alice', 'p')).toMatchObject({
    event: 'rpc',
    code: 'ok',
    realm: 'test',
    subject: 'alice',
  })
  expect(await lineOf('alice', 'bug')).toMatchObject({
    level: 'error',
    code: 'internal',
    subject: 'alice',
  })
  expect(await lineOf('deployer', 'p')).toMatchObject({
    code: 'permission_denied',
    calling_service: 'deployer',
  })
})

test.each(['application/proto', 'application/json'])(
  'a call whose %s is invalid or missing has one line with its caller',
  async (type) => {
    lines.length = 0
    const path = '/slipway.deployer.v1.WorkloadService/RestartPod'
    const post = async (body: string, token: string) =>
      await fetch(`http://${server.connectAddress}${path}`, {
        method: 'POST',
        headers: { 'content-type': type, authorization: `Bearer ${token}` },
        body,
      })
    const codes = [(await post('{', 'alice')).status, (await post('{', 'deployer')).status]
    const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect([codes, found]).toMatchObject([
      [400, 403],
      [
        { event: 'rpc', code: 'invalid_argument', subject: 'alice' },
        { event: 'rpc', code: 'permission_denied', calling_service: 'deployer' },
      ],
    ])
  },
)

test('names of fields are written as those of the API', async () => {
  const names = Object.keys(await lineOf('deployer', 'p'))
  expect(names).toEqual(expect.arrayContaining(['duration_ms', 'request_id', 'trace_id']))
  expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
})

test('the line of an anonymous call has no subject', async () => {
  const line = await lineOf('', 'p')
  expect(line).toMatchObject({ code: 'unauthenticated' })
  expect(Object.keys(line)).not.toContain('subject')
})

test('a hostile subject can’t add lines or fields', async () => {
  const line = await lineOf('hostile', 'p')
  expect(line).toMatchObject({ event: 'rpc', code: 'ok', realm: 'test', subject: HOSTILE })
})

function userOf(subject: string): Caller {
  const unknown = undefined
  const profile = {
    preferredUsername: unknown,
    email: unknown,
    givenName: unknown,
    familyName: unknown,
    name: unknown,
  }
  return { kind: 'user', realm: 'test', subject, profile, expireTime: new Date(), token: 'x' }
}
