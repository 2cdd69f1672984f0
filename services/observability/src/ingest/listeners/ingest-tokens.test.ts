import { createHash } from 'node:crypto'

import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect'
import { ErrorInfoSchema } from '@slipway/proto/google/rpc/error_details'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { RateLimited, Unauthenticated, Unavailable } from '@slipway/shared/errors'
import { describe, expect, test } from 'vitest'

import { createIngestTokens } from './ingest-tokens.ts'

const ADDRESS = '10.0.0.1'
const OWNER = {
  accountId: 'acc-1',
  deployedBy: 'alice',
  agent: 'helper',
  agentId: 'agent-1',
  deploymentId: 'dep-1',
  buildId: 'b1',
}

const sha256 = (token: string) => createHash('sha256').update(token).digest()

/**
 * Ingest tokens with a deployer that knows one, `good`, and responds to calls for others after
 * `letGo`.
 */
function startTokens() {
  const letGo = Promise.withResolvers<void>()
  const good = sha256('good')
  let calls = 0
  const transport = createRouterTransport(({ service }) => {
    service(WorkloadService, {
      async resolveIngestToken({ tokenSha256 }) {
        calls += 1
        if (good.equals(tokenSha256)) return OWNER
        await letGo.promise
        throw new ConnectError('unknown', Code.NotFound, undefined, [
          {
            desc: ErrorInfoSchema,
            value: { reason: 'ingest_token_unknown', domain: 'slipway.dev' },
          },
        ])
      },
    })
  })
  const tokens = createIngestTokens(
    createClient(WorkloadService, transport),
    async () => 'token',
    60_000,
  )
  return { tokens, calls: () => calls, letGo: letGo.resolve }
}

const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('an ingest token', () => {
  test('is rejected without a call if it is empty', async () => {
    const { tokens, calls } = startTokens()
    await expect(tokens.resolve('', ADDRESS)).rejects.toThrow(Unauthenticated)
    await expect(tokens.resolve(undefined, ADDRESS)).rejects.toThrow(Unauthenticated)
    expect(calls()).toBe(0)
  })

  test('is resolved by one call for concurrent requests', async () => {
    const { tokens, calls, letGo } = startTokens()
    const resolve = () => tokens.resolve('good', ADDRESS)
    expect(await Promise.all([resolve(), resolve(), resolve()])).toEqual([OWNER, OWNER, OWNER])
    expect(calls()).toBe(1)
    letGo()
    const rejected = await Promise.all([
      caught(tokens.resolve('bad', ADDRESS)),
      caught(tokens.resolve('bad', ADDRESS)),
    ])
    expect([calls(), ...rejected]).toEqual([
      2,
      expect.any(Unauthenticated),
      expect.any(Unauthenticated),
    ])
  })

  test('that is known never waits for unknown ones', async () => {
    const { tokens, letGo } = startTokens()
    await tokens.resolve('good', ADDRESS)
    const flood = Array.from({ length: 200 }, (_, index) =>
      caught(tokens.resolve(`bad-${index}`, ADDRESS)),
    )
    await expect(tokens.resolve('one more', ADDRESS)).rejects.toThrow(RateLimited)
    tokens.recheckAll()
    expect(await tokens.resolve('good', ADDRESS)).toEqual(OWNER)
    // Nor do the unknown ones of other senders.
    const other = caught(tokens.resolve('mistyped', '10.0.0.2'))
    letGo()
    expect(await other).toBeInstanceOf(Unauthenticated)
    const outcomes = await Promise.all(flood)
    const count = (kind: typeof RateLimited | typeof Unauthenticated) =>
      outcomes.filter((each) => each instanceof kind).length
    expect([count(RateLimited), count(Unauthenticated)]).toEqual([200 - 16, 16])
    // Rejected calls no longer count.
    await expect(tokens.resolve('later', ADDRESS)).rejects.toThrow(Unauthenticated)
  })

  test('that was replaced ends with its grace time, also while the deployer is down', async () => {
    const valid = new Map([
      ['former', 3_600_000],
      ['ending', 0],
    ])
    let isReachable = true
    const transport = createRouterTransport(({ service }) => {
      service(WorkloadService, {
        resolveIngestToken({ tokenSha256 }) {
          if (!isReachable) throw new ConnectError('unreachable', Code.Unavailable)
          const found = [...valid].find(([token]) => sha256(token).equals(tokenSha256))
          return { ...OWNER, ...(found && { validFor: durationFromMs(found[1]) }) }
        },
      })
    })
    const tokens = createIngestTokens(
      createClient(WorkloadService, transport),
      async () => 'token',
      60_000,
    )
    const resolve = (token: string) => tokens.resolve(token, ADDRESS)
    for (const token of ['current', 'former', 'ending']) expect(await resolve(token)).toEqual(OWNER)
    isReachable = false
    expect(await resolve('former')).toEqual(OWNER)
    expect(await caught(resolve('ending'))).toBeInstanceOf(Unavailable)
    // A rotation that the deployer can't confirm: the event has the end of the grace time.
    tokens.recheckDeployment(OWNER.deploymentId, Date.now() + 3_600_000)
    expect(await resolve('current')).toEqual(OWNER)
    tokens.recheckDeployment(OWNER.deploymentId, Date.now())
    expect(await caught(resolve('current'))).toBeInstanceOf(Unavailable)
    expect(await caught(resolve('former'))).toBeInstanceOf(Unavailable)
  })
})
