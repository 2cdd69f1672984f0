import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { Code, createClient } from '@connectrpc/connect'
import { Health } from '@slipway/proto/grpc/health/v1/health'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { childEnvironment, lineProxy, waitFor } from '@slipway/testing'
import { describe, expect, test } from 'vitest'

import { createLogger } from '../src/logging/logger.ts'
import { guardService, readRemoteError, startGrpcServer } from '../src/rpc/index.ts'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

const CALLER = join(import.meta.dirname, 'support/caller-by-name.ts')

/** A replica that counts its calls. */
async function startReplica(address: string) {
  const logger = createLogger('test', 'silent')
  const counts = { calls: 0 }
  const health = guardService(
    Health,
    {
      check() {
        counts.calls += 1
        return {}
      },
      list: () => ({}),
      async *watch() {},
    },
    { check: 'public', list: 'public', watch: 'public' },
    { logger, tokenVerifier: { verify: () => Promise.reject(new Error('no token')) } },
  )
  const server = await startGrpcServer(address, [health], 1_000)
  return Object.assign(server, { counts })
}

test('calls reach new replicas of a name, and leave those that are no longer listed', async () => {
  await using first = await startReplica('127.0.0.1:0')
  const [, port] = first.address.split(':')
  await using second = await startReplica(`127.0.0.2:${port}`)
  const directory = await mkdtemp(join(tmpdir(), 'slipway-'))
  const hosts = join(directory, 'hosts')
  const list = (...ips: string[]) => writeFile(hosts, ips.map((ip) => `${ip} replicas\n`).join(''))
  await list('127.0.0.1')
  const command = `exec ${process.execPath} ${CALLER} replicas:${port}`
  const script = `mount --bind ${hosts} /etc/hosts && ${command}`
  const caller = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', script], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const output = text(caller.stdout)
  await waitFor(() => first.counts.calls > 0, { what: 'calls of the only replica' })
  expect(second.counts.calls).toBe(0)
  await list('127.0.0.1', '127.0.0.2')
  await waitFor(() => second.counts.calls > 20, { what: 'calls of the new replica' })
  const before = first.counts.calls
  await waitFor(() => first.counts.calls > before + 20, { what: 'calls of both replicas' })
  await list('127.0.0.2')
  let counted = { calls: 0, others: 0 }
  await waitFor(
    () => {
      const others = second.counts.calls
      if (others < counted.others + 20) return false
      const { calls } = counted
      counted = { calls: first.counts.calls, others }
      return counted.calls === calls
    },
    { what: 'all calls to leave the first replica' },
  )
  // The only server moves without a warning.
  const moved = first.counts.calls
  await list('127.0.0.1')
  await second[Symbol.asyncDispose]()
  await waitFor(() => first.counts.calls > moved + 20, { what: 'calls at the new address' })
  caller.stdin.end()
  const failures = (await output).split('\n').slice(0, -1)
  // A call that was running may fail.
  expect(failures.slice(2)).toEqual([])
  await rm(directory, { recursive: true })
})

describe('a replica that no longer responds', () => {
  const transports = [
    ['gRPC', 'grpcAddress', (fixture: RpcFixture, to: string[]) => fixture.grpc(to)],
    ['Connect', 'connectAddress', (fixture: RpcFixture, to: string[]) => fixture.connectUnary(to)],
  ] as const

  test.each(transports)('is left by running and later calls, over %s', async (_, by, open) => {
    await using fixture = await rpcFixture({ drainMs: 0 })
    await using other = await rpcFixture({ drainMs: 0 })
    await using line = await lineProxy(`http://${fixture.server[by]}`)
    const client = createClient(
      WorkloadService,
      open(fixture, [new URL(line.url).host, other.server[by]]),
    )
    const read = () => client.getConfigMap({ name: 'n' }, { ...asAlice, timeoutMs: 20_000 })
    while (fixture.calls.getConfigMap === 0 || other.calls.getConfigMap === 0) await read()
    const write = () =>
      client
        .restartPod({ pod: 'endless' }, asAlice)
        .catch((error: unknown) => readRemoteError(error).code)
    const writes = [write(), write()]
    const arrived = () => [fixture.calls.restartPod, other.calls.restartPod]
    await waitFor(() => arrived().every((count) => count === 1), { what: 'a write at each' })
    line.freeze()
    expect(await Promise.race(writes)).toBe(Code.Unavailable)
    // The other replica may not repeat it.
    expect(arrived()).toEqual([1, 1])
    const reads = await Promise.all(Array.from({ length: 20 }, read))
    expect(reads.map(({ name }) => name)).toEqual(Array(20).fill('n'))
    line.thaw()
    const before = fixture.calls.getConfigMap
    await waitFor(
      async () => {
        await read()
        return fixture.calls.getConfigMap > before
      },
      { what: 'calls of the replica that responds again' },
    )
  })
})
