import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { create } from '@bufbuild/protobuf'
import { Code, createClient } from '@connectrpc/connect'
import {
  ExportTraceServiceRequestSchema,
  TraceService as Collector,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { freePorts, testDatabase, testIssuer, testNats, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import { startNeighbours } from './support/neighbours.ts'
import { encodeRequest, newSpanId, newTraceId, post, toOtlpSpan } from './support/otlp.ts'
import { startProcess } from './support/process.ts'

const OWNER = { accountId: 'acc-1', agent: 'helper', deploymentId: 'd', buildId: 'b' }
const TOKEN = 'token'
/** Requests of each sender before the process stops, and after it has started again. */
const REQUESTS = 20

/** A request's outcome: `stored`, or why the sender has to send it again. */
type Send = (traceId: string) => Promise<string>

const spanOf = (traceId: string) =>
  toOtlpSpan({ traceId, spanId: newSpanId(), startMs: Date.now() - 60_000 })

function overHttp(url: string): Send {
  return async (traceId) => {
    const response = await post(url, TOKEN, encodeRequest([spanOf(traceId)])).catch(() => undefined)
    await response?.arrayBuffer()
    if (response === undefined) return 'unreachable'
    if (response.ok) return 'stored'
    return `${response.status}, retry ${Number(response.headers.get('retry-after')) > 0}`
  }
}

function overGrpc(address: string, stack: DisposableStack): Send {
  const transport = stack.use(createGrpcTransport([address], [Collector]))
  const collector = createClient(Collector, transport)
  return async (traceId) => {
    const spans = [spanOf(traceId)]
    const message = create(ExportTraceServiceRequestSchema, {
      resourceSpans: [{ scopeSpans: [{ spans }] }],
    })
    return await collector.export(message, { headers: { authorization: `Bearer ${TOKEN}` } }).then(
      () => 'stored',
      (error: unknown) => Code[readRemoteError(error).code],
    )
  }
}

test('senders may always retry while the process is replaced, and no span is lost', async () => {
  await using stack = new AsyncDisposableStack()
  using clients = new DisposableStack()
  const issuer = stack.use(await testIssuer())
  const neighbours = stack.use(await startNeighbours(issuer))
  neighbours.accounts.set('acme', OWNER.accountId)
  neighbours.members.add(`${OWNER.accountId}/alice`)
  neighbours.tokens.set(TOKEN, OWNER)
  const nats = stack.use(await testNats())
  const database = stack.use(await testDatabase({ migrations }))
  const directory = await mkdtemp(join(tmpdir(), 'slipway-stopping-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('observability'))
  const [httpPort, grpcPort] = await freePorts(2)
  const start = () =>
    startProcess({
      OTLP_ADDRESSES: `127.0.0.1:${httpPort}`,
      OTLP_GRPC_ADDRESSES: `127.0.0.1:${grpcPort}`,
      AUTH_ISSUERS: issuer.issuersJson,
      SERVICE_TOKEN_FILE: tokenFile,
      NATS_URL: nats.url,
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      CATALOG_ADDRESS: neighbours.catalogAddress,
      DEPLOYER_ADDRESS: neighbours.deployerAddress,
      CLICKHOUSE_DATA_DIR: join(directory, 'traces'),
    })

  const first = stack.use(await start())
  const http = overHttp(`http://127.0.0.1:${httpPort}/v1/traces`)
  const grpc = overGrpc(`127.0.0.1:${grpcPort}`, clients)
  const senders = [http, http, http, grpc, grpc].map((send) => ({ send, stored: [] as string[] }))
  const outcomes = new Set<string>()
  let isEnough = false
  const sending = senders.map(async ({ send, stored }) => {
    while (!isEnough) {
      const traceId = newTraceId()
      const attempt = async () => {
        const outcome = await send(traceId)
        outcomes.add(outcome)
        return outcome === 'stored'
      }
      await waitFor(attempt, { what: 'a span to be stored' })
      stored.push(traceId)
    }
  })
  const untilAllHave = async (count: number) =>
    await waitFor(() => senders.every(({ stored }) => stored.length >= count), {
      what: `${count} requests of each sender`,
    })
  await untilAllHave(REQUESTS)
  await first[Symbol.asyncDispose]()
  const before = Math.max(...senders.map(({ stored }) => stored.length))
  const second = stack.use(await start())
  await untilAllHave(before + REQUESTS)
  isEnough = true
  await Promise.all(sending)
  for (const outcome of outcomes)
    expect(['stored', 'unreachable', '503, retry true', 'Unavailable']).toContain(outcome)

  using transport = createGrpcTransport([second.grpcAddress], [TraceService])
  const traces = createClient(TraceService, transport)
  const options = { headers: { authorization: `Bearer ${await issuer.userToken('alice')}` } }
  const total = senders.reduce((sum, { stored }) => sum + stored.length, 0)
  expect(await traces.getSummary({ account: 'acme', name: OWNER.agent }, options)).toMatchObject({
    totalTraces: BigInt(total),
  })
})
