import { Code, createClient } from '@connectrpc/connect'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { lineProxy, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { readRemoteError } from '../src/rpc/index.ts'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

const TRANSPORTS = [
  ['gRPC', 'grpcAddress', (fixture: RpcFixture, to: string[]) => fixture.grpc(to)],
  ['Connect', 'connectAddress', (fixture: RpcFixture, to: string[]) => fixture.connectUnary(to)],
] as const

test.each(TRANSPORTS)(
  'a write whose connection breaks is not sent to another replica, over %s',
  async (_, by, open) => {
    await using fixture = await rpcFixture({ drainMs: 0 })
    await using other = await rpcFixture({ drainMs: 0 })
    await using line = await lineProxy(`http://${fixture.server[by]}`)
    const transport = open(fixture, [new URL(line.url).host, other.server[by]])
    const client = createClient(WorkloadService, transport)
    const read = async () => await client.getConfigMap({ name: 'n' }, asAlice)
    while (fixture.calls.getConfigMap === 0 || other.calls.getConfigMap === 0) await read()
    const write = async () =>
      await client
        .restartPod({ pod: 'endless' }, asAlice)
        .catch((error: unknown) => readRemoteError(error).code)
    const writes = [write(), write()]
    const arrived = () => [fixture.calls.restartPod, other.calls.restartPod]
    await waitFor(() => arrived().every((count) => count === 1), { what: 'a write at each' })
    line.cut()
    expect(await Promise.race(writes)).toBe(Code.Unavailable)
    expect(arrived()).toEqual([1, 1])
  },
)
