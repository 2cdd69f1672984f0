import { createClient } from '@connectrpc/connect'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { continueAsUser, requestOrigin, type RpcTransport } from '../src/rpc/index.ts'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'

// RestartPod of the first server calls RestartPod of the second.
let second: RpcFixture
let first: RpcFixture
const received: unknown[] = []
beforeAll(async () => {
  second = await rpcFixture({
    restartPod: async ({ pod }, call) => {
      received.push(requestOrigin(call))
      return { pod }
    },
  })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
})

describe.each([
  ['gRPC', (fixture: RpcFixture) => fixture.grpc()],
  ['Connect', (fixture: RpcFixture) => fixture.connectUnary()],
])('over %s', (_, transportTo: (fixture: RpcFixture) => RpcTransport) => {
  beforeAll(async () => {
    const next = createClient(WorkloadService, transportTo(second))
    first = await rpcFixture({
      restartPod: async ({ pod }, call) => await next.restartPod({ pod }, continueAsUser(call)),
    })
  })
  afterAll(async () => {
    await first[Symbol.asyncDispose]()
  })

  test.each([
    ['version 00', `00-${TRACE_ID}-b7ad6b7169203331-01`],
    ['a future version', `01-${TRACE_ID}-b7ad6b7169203331-01-extra`],
  ])(
    'a trace of %s continues over two hops, with its tracestate',
    async (_version, traceparent) => {
      const client = createClient(WorkloadService, transportTo(first))
      const headers = { ...asAlice.headers, traceparent, tracestate }
      await client.restartPod({ pod: 'a' }, { headers })
      expect(received.pop()).toEqual({
        requestId: 'req-1',
        traceparent: expect.stringMatching(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`)),
        tracestate,
      })
    },
  )

  test('an invalid trace is replaced by a new one, without its tracestate', async () => {
    const client = createClient(WorkloadService, transportTo(first))
    const headers = { ...asAlice.headers, traceparent: `00-${TRACE_ID}`, tracestate }
    await client.restartPod({ pod: 'a' }, { headers })
    expect(received.pop()).toEqual({
      requestId: 'req-1',
      traceparent: expect.stringMatching(/^00-(?!0af76519)[0-9a-f]{32}-[0-9a-f]{16}-01$/),
      tracestate: '',
    })
  })
})
