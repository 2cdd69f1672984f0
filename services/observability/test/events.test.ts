import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { createDatabase, type Database } from '@slipway/shared/db'
import { readRemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { findDeployment } from '../src/db/deployments.ts'
import type { ObservabilitySchema } from '../src/db/tables.ts'
import { encodeRequest, newSpanId, newTraceId, post, toOtlpSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'
import { deploymentEvent, startPublisher, type Publisher } from './support/publisher.ts'

/** The caches outlast the wait for an event, so only the event can drop an entry. */
const CACHE_MS = 60_000
const EVENT_MS = 50_000

let platform: Platform
let publisher: Publisher
let db: Database<ObservabilitySchema>

beforeAll(async () => {
  platform = await startPlatform({ INGEST_TOKEN_CACHE_MS: String(CACHE_MS) }, { grantMs: CACHE_MS })
  publisher = await startPublisher(platform.nats.url)
  db = createDatabase<ObservabilitySchema>({
    url: platform.databaseUrl,
    applicationName: 'test',
    poolSize: 1,
  })
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
})
afterAll(async () => {
  await db?.destroy()
  await publisher?.[Symbol.asyncDispose]()
  await platform?.[Symbol.asyncDispose]()
})

function deploy(deploymentId: string, buildId = 'build-1'): void {
  platform.neighbours.tokens.set(`token-${deploymentId}`, {
    accountId: 'acc-1',
    agent: 'helper',
    deploymentId,
    buildId,
  })
}

async function send(deploymentId: string): Promise<number> {
  const span = toOtlpSpan({
    traceId: newTraceId(),
    spanId: newSpanId(),
    startMs: Date.now() - 1000,
  })
  const response = await post(platform.ingestUrl, `token-${deploymentId}`, encodeRequest([span]))
  await response.arrayBuffer()
  return response.status
}

async function list(request: object = {}, subject = 'alice') {
  return await platform.traces.listTraces(
    { account: 'acme', name: 'helper', ...request },
    await platform.as(subject),
  )
}

describe('the index of deployments', () => {
  test('follows the events, and ignores repeated ones', async () => {
    await publisher.publish(deploymentEvent('d-1', 'deploymentApplied'))
    await publisher.publish(
      deploymentEvent('d-1', 'deploymentApplied', { buildId: 'build-2', revision: 2 }),
    )
    await waitFor(async () => (await findDeployment(db, 'd-1'))?.revision === 2, {
      what: 'the second revision',
    })
    expect(await findDeployment(db, 'd-1')).toEqual({
      deployment_id: 'd-1',
      account_id: 'acc-1',
      agent: 'helper',
      build_id: 'build-2',
      revision: 2,
      k8s_namespace: 'ns-1',
      is_live: true,
    })
    await publisher.publish(
      deploymentEvent('d-1', 'undeployRequested', { buildId: 'build-2', revision: 2 }),
    )
    await waitFor(async () => (await findDeployment(db, 'd-1'))?.is_live === false, {
      what: 'the deployment to be over',
    })
  })
})

describe('an ingest token', () => {
  test('is cached and works while the deployer is down; unknown ones get a 503', async () => {
    deploy('d-2')
    const { calls } = platform.neighbours
    const isCached = async () => {
      const before = calls.resolveIngestToken
      expect(await send('d-2')).toBe(200)
      return calls.resolveIngestToken === before
    }
    // An event that arrives during the call prevents its response from being cached.
    await waitFor(isCached, { what: 'the token to be cached' })
    await platform.neighbours.stop()
    try {
      await publisher.publish(deploymentEvent('d-2', 'deploymentApplied'))
      await waitFor(async () => (await findDeployment(db, 'd-2')) !== undefined, {
        what: 'the event to arrive',
      })
      expect(await send('d-2')).toBe(200)
      const response = await post(platform.ingestUrl, 'never-seen', encodeRequest([]))
      expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([
        503,
        true,
      ])
    } finally {
      await platform.neighbours.start()
      // The channel to the deployer may be waiting to reconnect.
      deploy('d-back')
      await waitFor(async () => (await send('d-back')) === 200, {
        what: 'the deployer to be reachable',
      })
    }
  })

  test('is invalid after an undeploy', async () => {
    deploy('d-3')
    expect(await send('d-3')).toBe(200)
    platform.neighbours.tokens.delete('token-d-3')
    await publisher.publish(deploymentEvent('d-3', 'undeployRequested'))
    await waitFor(async () => (await send('d-3')) === 401, {
      what: 'the token to be rejected',
      timeoutMs: EVENT_MS,
    })
  })

  test('is invalid after its rotation', async () => {
    deploy('d-4')
    expect(await send('d-4')).toBe(200)
    platform.neighbours.tokens.delete('token-d-4')
    await publisher.publish(deploymentEvent('d-4', 'ingestTokenRotated'))
    await waitFor(async () => (await send('d-4')) === 401, {
      what: 'the token to be rejected',
      timeoutMs: EVENT_MS,
    })
  })

  test('stays valid for the grace time of its rotation, and ends with it', async () => {
    deploy('d-6')
    expect(await send('d-6')).toBe(200)
    const { calls, tokens } = platform.neighbours
    const isAsked = async () => {
      const before = calls.resolveIngestToken
      expect(await send('d-6')).toBe(200)
      return calls.resolveIngestToken > before
    }
    await waitFor(async () => !(await isAsked()), { what: 'the token to be cached' })
    const formerExpireTime = new Date(Date.now() + 3_600_000)
    await publisher.publish(deploymentEvent('d-6', 'ingestTokenRotated', { formerExpireTime }))
    await waitFor(isAsked, { what: 'the token to be checked again', timeoutMs: EVENT_MS })
    // The deployer reports the end of the grace time, and no event does.
    const owner = tokens.get('token-d-6')
    if (owner) tokens.set('token-d-6', { ...owner, validFor: durationFromMs(1) })
    await publisher.publish(deploymentEvent('d-6', 'deploymentApplied'))
    await waitFor(isAsked, { what: 'the token to be checked again', timeoutMs: EVENT_MS })
    tokens.delete('token-d-6')
    await waitFor(async () => (await send('d-6')) === 401, {
      what: 'the token to be rejected',
      timeoutMs: EVENT_MS,
    })
  })

  test('belongs to the new build after a deploy', async () => {
    deploy('d-5', 'build-old')
    expect(await send('d-5')).toBe(200)
    deploy('d-5', 'build-new')
    await publisher.publish(deploymentEvent('d-5', 'deploymentApplied', { buildId: 'build-new' }))
    await waitFor(
      async () => {
        await send('d-5')
        return (await list({ buildId: 'build-new' })).total > 0n
      },
      { what: 'traces of the new build', timeoutMs: EVENT_MS },
    )
  })
})

describe('a membership', () => {
  test('is cached until an event drops it; a denial is not cached', async () => {
    const codeOf = async (subject: string) => {
      const error = await list({}, subject).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      return error === undefined ? 'granted' : readRemoteError(error).code
    }
    expect(await codeOf('carol')).toBe(Code.PermissionDenied)
    platform.neighbours.members.add('acc-1/carol')
    expect(await codeOf('carol')).toBe('granted')
    const isCached = async () => {
      const before = platform.neighbours.calls.checkAccess
      expect(await codeOf('carol')).toBe('granted')
      return platform.neighbours.calls.checkAccess === before
    }
    await waitFor(isCached, { what: 'the grant to be cached' })

    platform.neighbours.members.delete('acc-1/carol')
    await publisher.publish({
      accountId: 'acc-1',
      aggregateId: 'acc-1',
      kind: 'account',
      event: 'member_changed',
      payload: { case: 'accountMemberChanged', value: { userId: 'carol' } },
    })
    await waitFor(async () => (await codeOf('carol')) === Code.PermissionDenied, {
      what: 'the grant to be dropped',
      timeoutMs: EVENT_MS,
    })
  })
})
