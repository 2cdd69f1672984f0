import { createClient } from '@connectrpc/connect'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { newTraceId } from '../support/ingest.ts'
import { RANGE_ROUTES } from './cases/observability-case.ts'
import { pathOf } from './cases/observability-cases.ts'
import { endObservedWorld, makeObservedWorld, type ObservedWorld } from './support/trace-fixture.ts'
import { ask } from './support/catalog-fixture.ts'

let world: ObservedWorld

beforeAll(async () => {
  world = await makeObservedWorld()
})
afterAll(async () => {
  await endObservedWorld(world)
})

test('responds the same for a trace of another account as for a missing one', async () => {
  const other = await makeObservedWorld()
  try {
    const bodyOf = async (traceId: string) => {
      const each = { route: 'trace', caller: 'owner', status: 404, traceId } as const
      const { status, body } = await ask('GET', pathOf(world, each), 'owner')
      const { request_id: _, instance, ...rest } = body
      return { status, ...rest, instance: instance.replace(traceId, '') }
    }
    // The caller owns both accounts; the account in the path decides.
    expect(await bodyOf(other.good)).toEqual(await bodyOf(newTraceId()))
    expect((await bodyOf(other.good)).status).toBe(404)
  } finally {
    await endObservedWorld(other)
  }
})

test('accepts only members over RPC, even with an ingest token or identity header', async () => {
  using transport = createGrpcTransport(
    [fromStack('OBSERVABILITY_GRPC').split(',')[0] ?? ''],
    [TraceService],
  )
  const client = createClient(TraceService, transport)
  const question = { account: world.account, name: world.agent }
  const reasonOf = async (headers: Record<string, string>) => {
    const calls = [
      client.listTraces(question, { headers }),
      client.getMetrics(question, { headers }),
      client.getSummary(question, { headers }),
      client.getTrace({ ...question, traceId: world.good }, { headers }),
      client.exportTrace({ ...question, traceId: world.good }, { headers }),
    ]
    const reasons = await Promise.all(
      calls.map((call) =>
        call.then(
          () => 'ok',
          (error: unknown) => readRemoteError(error).reason,
        ),
      ),
    )
    return [...new Set(reasons)].join()
  }
  const bearer = async (user: 'carol' | 'mallory') => ({
    authorization: `Bearer ${await tokenOf(user)}`,
  })
  expect(await reasonOf({})).toBe('token_required')
  expect(await reasonOf({ authorization: `Bearer ${world.token}` })).toBe('invalid_token')
  expect(await reasonOf({ 'x-user-id': world.ids.owner, 'x-account-id': world.account })).toBe(
    'token_required',
  )
  expect(await reasonOf({ ...(await bearer('mallory')), 'x-user-id': world.ids.owner })).toBe(
    'permission_denied',
  )
  expect(await reasonOf(await bearer('carol'))).toBe('ok')
})

describe('access to traces', () => {
  const statuses = async (caller: 'owner' | 'stranger' | 'member', account: string) =>
    await Promise.all(
      RANGE_ROUTES.map(
        async (route) =>
          (await ask('GET', pathOf(world, { route, caller, status: 0, account }), caller)).status,
      ),
    )
  const untilAll = (caller: 'owner' | 'stranger' | 'member', account: string, status: number) =>
    waitFor(async () => (await statuses(caller, account)).every((each) => each === status), {
      what: `${status} for the ${caller}`,
    })

  test('ends within seconds for removed members, and begins immediately for new ones', async () => {
    const member = `/accounts/${world.account}/members/${world.ids.stranger}`
    expect(await statuses('stranger', world.account)).toEqual(RANGE_ROUTES.map(() => 403))
    await ask('PUT', member, 'owner', { body: { role: 'member' } })
    expect(await statuses('stranger', world.account)).toEqual(RANGE_ROUTES.map(() => 200))
    await ask('DELETE', member, 'owner')
    await untilAll('stranger', world.account, 403)
  })

  test('follows a rename of the account; its traces and its token stay', async () => {
    const renamed = `${world.account}-2`
    expect(await statuses('owner', world.account)).toEqual(RANGE_ROUTES.map(() => 200))
    expect(
      (await ask('PUT', `/accounts/${world.account}`, 'owner', { body: { name: renamed } })).status,
    ).toBe(200)
    try {
      expect(await statuses('owner', renamed)).toEqual(RANGE_ROUTES.map(() => 200))
      await untilAll('owner', world.account, 403)
      const { body } = await ask(
        'GET',
        pathOf(world, { route: 'trace', caller: 'owner', status: 200, account: renamed }),
        'owner',
      )
      expect(body.trace_id).toBe(world.good)
    } finally {
      await ask('PUT', `/accounts/${renamed}`, 'owner', { body: { name: world.account } })
    }
    await untilAll('owner', renamed, 403)
    await untilAll('owner', world.account, 200)
  })
})
