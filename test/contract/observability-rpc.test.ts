import {
  Code,
  createClient,
  type CallOptions,
  type Client,
  type Transport,
} from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { createGrpcTransport, readRemoteError, type RpcTransport } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { newTraceId } from '../support/ingest.ts'
import {
  endObservedWorld,
  HUGE_TOKENS,
  makeObservedWorld,
  type ObservedWorld,
} from './support/trace-fixture.ts'

let world: ObservedWorld
let grpc: RpcTransport
let options: CallOptions

beforeAll(async () => {
  world = await makeObservedWorld()
  grpc = createGrpcTransport([firstOf('OBSERVABILITY_GRPC')], [TraceService])
  options = { headers: { authorization: `Bearer ${await tokenOf('carol')}` } }
})
afterAll(async () => {
  grpc?.[Symbol.dispose]()
  await endObservedWorld(world)
})

const firstOf = (name: string) => fromStack(name).split(',')[0] ?? ''

describe.each(['gRPC', 'Connect JSON'])('by %s', (kind) => {
  let client: Client<typeof TraceService>
  beforeAll(() => {
    const baseUrl = `http://${firstOf('OBSERVABILITY_CONNECT')}`
    const transport: Transport =
      kind === 'gRPC'
        ? grpc
        : createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false })
    client = createClient(TraceService, transport)
  })

  const question = () => ({ account: world.account, name: world.agent })
  const time = (seconds: bigint, nanos = 0) => ({ seconds, nanos })
  const at = (ms: number) => time(BigInt(ms / 1000))

  test('responds as REST does', async () => {
    const range = { start: at(world.startMs), end: at(world.startMs + 60_000) }
    const list = await client.listTraces({ ...question(), range }, options)
    expect([list.total, list.traces.map(({ traceId, status }) => [traceId, status])]).toEqual([
      2n,
      [
        [world.failed, TraceStatus.ERROR],
        [world.good, TraceStatus.OK],
      ],
    ])
    expect(list.range).toMatchObject(range)
    const summary = await client.getSummary({ ...question(), range }, options)
    expect([summary.totalTraces, summary.totalTokens, summary.errorRate]).toEqual([
      2n,
      BigInt(HUGE_TOKENS),
      0.5,
    ])
    const { buckets, intervalMinutes } = await client.getMetrics({ ...question(), range }, options)
    expect([buckets.length, intervalMinutes, buckets[0]?.inputTokens]).toEqual([
      1,
      60,
      BigInt(HUGE_TOKENS),
    ])
    const { trace, spans, spanCount } = await client.getTrace(
      { ...question(), traceId: world.good },
      options,
    )
    expect([trace?.input, trace?.output, spans[0]?.model, spanCount]).toEqual([
      'the question',
      'the answer',
      'm-1',
      1,
    ])
  })

  test('reports the field that is out of bounds', async () => {
    const far = 10n ** 11n
    const ask = (request: object) => client.listTraces({ ...question(), ...request }, options)
    const sum = (request: object) => client.getSummary({ ...question(), ...request }, options)
    const count = (request: object) => client.getMetrics({ ...question(), ...request }, options)
    const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['page_size', () => ask({ pageSize: -1 })],
      ['page_size', () => ask({ pageSize: 501 })],
      ['page_token', () => ask({ pageToken: 'next' })],
      ['skip', () => ask({ skip: -1 })],
      ['skip', () => ask({ skip: 100_001 })],
      ['query', () => ask({ query: 'x'.repeat(257) })],
      ['interval_minutes', () => count({ intervalMinutes: -1 })],
      ['interval_minutes', () => count({ intervalMinutes: 44_641 })],
      [
        'range',
        () =>
          count({ intervalMinutes: 1, range: { start: time(0n), end: time(5000n * 60n + 1n) } }),
      ],
      ['range.start', () => sum({ range: { start: time(5n), end: time(5n) } })],
      ['range.start', () => sum({ range: { start: time(6n), end: time(5n, 999_999_999) } })],
      ['name', () => client.getSummary({ ...question(), name: '' }, options)],
      ['trace_id', () => client.getTrace({ ...question(), traceId: 'x' }, options)],
      ['trace_id', () => client.getTrace(question(), options)],
      // JSON can't represent such times.
      ...(kind === 'gRPC'
        ? ([
            ['range.start', () => sum({ range: { start: time(-far), end: time(5n) } })],
            ['range.end', () => ask({ range: { start: time(5n), end: time(far * 10n) } })],
            ['range.end', () => count({ range: { start: time(5n), end: time(2n ** 63n - 1n) } })],
          ] as const)
        : []),
    ]
    for (const [field, call] of cases) {
      const { code, reason, message } = readRemoteError(
        await call().catch((error: unknown) => error),
      )
      expect([field, code, reason, message.includes(field)]).toEqual([
        field,
        Code.InvalidArgument,
        'invalid_argument',
        true,
      ])
    }
  })

  test('distinguishes unknown and foreign accounts from empty results', async () => {
    const reasonOf = async (call: Promise<unknown>) =>
      readRemoteError(await call.catch((error: unknown) => error)).reason
    expect([
      await reasonOf(client.getTrace({ ...question(), traceId: newTraceId() }, options)),
      await reasonOf(client.getSummary({ ...question(), account: 'no-such-account' }, options)),
      await reasonOf(client.getSummary({ ...question(), account: '' }, options)),
      await reasonOf(client.getSummary(question())),
    ]).toEqual(['trace_not_found', 'permission_denied', 'permission_denied', 'token_required'])
  })
})
