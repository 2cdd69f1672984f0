import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'

import type { RouteName } from '../contract/cases/observability-case.ts'
import { pathOf } from '../contract/cases/observability-cases.ts'
import {
  endObservedWorld,
  makeObservedWorld,
  type ObservedWorld,
} from '../contract/support/trace-fixture.ts'
import { ask, type Caller } from '../contract/support/catalog-fixture.ts'
import { request } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { newTraceId, sendSpans } from '../support/ingest.ts'

// Two accounts with a deployed agent each; the stranger is a member of neither.
let ours: ObservedWorld
let theirs: ObservedWorld

beforeAll(async () => {
  ours = await makeObservedWorld()
  theirs = await makeObservedWorld()
})
afterAll(async () => {
  await endObservedWorld(ours)
  await endObservedWorld(theirs)
})

const get = async (
  world: ObservedWorld,
  route: RouteName,
  query = '',
  caller: Caller = 'member',
  traceId?: string,
) =>
  await ask(
    'GET',
    pathOf(world, {
      route,
      caller,
      status: 0,
      query,
      ...(traceId === undefined ? {} : { traceId }),
    }),
    caller,
  )

/** Everything that an account's members can read about its agent, for comparison. */
async function everythingOf(world: ObservedWorld): Promise<unknown> {
  const time = (ms: number) => new Date(ms).toISOString()
  const range = `start_time=${time(world.startMs)}&end_time=${time(world.startMs + 3_600_000)}`
  const [traces, metrics, summary, trace] = await Promise.all([
    get(world, 'traces', `${range}&limit=500`),
    get(world, 'metrics', range),
    get(world, 'summary', range),
    get(world, 'trace'),
  ])
  expect([traces.status, metrics.status, summary.status, trace.status]).toEqual([
    200, 200, 200, 200,
  ])
  return [traces.text, metrics.text, summary.text, trace.text]
}

/** Attributes with which a sender could claim that its spans belong to a world. */
function claimsOf(world: ObservedWorld): Readonly<Record<string, string>> {
  return {
    'service.name': world.agent,
    'service.namespace': world.account,
    'k8s.namespace.name': world.namespace,
    'gen_ai.agent.name': world.agent,
    'slipway.account': world.account,
    'slipway.agent': world.agent,
    account_id: world.account,
    agent: world.agent,
    build_id: 'b1',
    tenant: world.account,
  }
}

describe('spans of one account', () => {
  test('stay there, whatever their attributes and ids claim', async () => {
    const before = await everythingOf(ours)
    const claims = claimsOf(ours)
    const spanId = (await get(ours, 'trace')).body.spans[0].span_id
    // In the same trace: the very same span, a child of it, and another root.
    const sent = await sendSpans(theirs.token, [
      {
        traceId: ours.good,
        spanId,
        name: 'forged',
        startMs: ours.startMs + 100,
        attributes: claims,
        resource: claims,
      },
      {
        traceId: ours.good,
        parentSpanId: spanId,
        name: 'forged child',
        startMs: ours.startMs + 100,
        resource: claims,
      },
      {
        traceId: ours.failed,
        name: 'forged root',
        startMs: ours.startMs + 1,
        isError: true,
        resource: claims,
      },
    ])
    expect(sent.status).toBe(200)
    expect(await everythingOf(ours)).toEqual(before)
    const { body } = await get(theirs, 'trace', '', 'member', ours.good)
    expect([body.name, body.span_count, body.spans[0].build_id]).toEqual(['forged', 2, 'b2'])
    expect(JSON.stringify(body)).not.toContain('the question')
  })

  test('stay there with random attributes', async () => {
    const before = await everythingOf(ours)
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(...Object.values(claimsOf(ours))),
    )
    const key = fc.oneof(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.constantFrom(...Object.keys(claimsOf(ours))),
    )
    const attributes = fc.dictionary(key, text, { maxKeys: 8 })
    await fc.assert(
      fc.asyncProperty(attributes, attributes, text, async (ofSpan, ofResource, name) => {
        const traceId = newTraceId()
        const span = { traceId, name: name.toWellFormed(), startMs: ours.startMs + 500 }
        const sent = await sendSpans(theirs.token, [
          { ...span, attributes: ofSpan, resource: ofResource },
        ])
        expect(sent.status).toBe(200)
        expect((await get(ours, 'trace', '', 'owner', traceId)).status).toBe(404)
        expect((await get(theirs, 'trace', '', 'owner', traceId)).status).toBe(200)
      }),
      { numRuns: rounds(20) },
    )
    expect(await everythingOf(ours)).toEqual(before)
  })

  test('need that account’s token, in the right header and at the right path', async () => {
    const span = { traceId: newTraceId(), startMs: ours.startMs + 700 }
    const url = fromStack('SLIPWAY_OTLP_URL')
    for (const token of [
      '',
      'x',
      `${ours.token}x`,
      ours.token.slice(0, -1),
      ours.token.toUpperCase(),
      ours.account,
    ]) {
      expect([token, (await sendSpans(token, [span])).status]).toEqual([token, 401])
    }
    const paths = [
      '/',
      '/v1/traces/',
      '/v1/traces/../traces',
      '/v2/traces',
      '//v1/traces',
      `/v1/traces/${ours.account}`,
    ]
    for (const path of paths) {
      expect([path, (await sendSpans(theirs.token, [span], { path })).status]).toEqual([
        path,
        path === '/v1/traces/../traces' ? 200 : 404,
      ])
    }
    const inQuery = await fetch(
      `${url}/v1/traces?token=${ours.token}&authorization=Bearer%20${ours.token}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-slipway-account': ours.account },
        body: '{"resourceSpans":[]}',
      },
    )
    expect(inQuery.status).toBe(401)
    expect((await get(ours, 'trace', '', 'owner', span.traceId)).status).toBe(404)
    // An ingest token can't read.
    const read = await request(
      'GET',
      pathOf(ours, { route: 'traces', caller: 'owner', status: 401 }),
      {
        headers: { authorization: `Bearer ${ours.token}` },
      },
    )
    expect(read.status).toBe(401)
  })
})

describe('a reader of another account', () => {
  test('learns nothing through filters, searches, names or ids', async () => {
    const before = await everythingOf(theirs)
    const wanted = `q=${encodeURIComponent('the question')}`
    const injections = [
      "' OR '1'='1",
      "') OR 1=1 --",
      '%',
      '_',
      '\\',
      '*',
      '{account_id:String}',
      "b2' UNION ALL SELECT 1",
    ]
    for (const injection of injections) {
      const query = `q=${encodeURIComponent(injection)}&build_id=${encodeURIComponent(injection)}`
      const { status, body } = await get(theirs, 'traces', query)
      expect([injection, status, body.total]).toEqual([injection, 200, 0])
    }
    const found = (await get(theirs, 'traces', wanted)).body.traces.map(
      ({ trace_id: id }: { trace_id: string }) => id,
    )
    expect(found).toEqual([theirs.good])
    for (const route of ['traces', 'metrics', 'summary', 'trace'] as const) {
      const answer = await get(theirs, route, '', 'stranger')
      expect([route, answer.status, answer.text.includes(theirs.good)]).toEqual([
        route,
        403,
        route === 'trace',
      ])
    }
    expect((await get(theirs, 'trace', '', 'member', ours.failed)).text).not.toContain(
      '"name":"failed"',
    )
    expect(await everythingOf(theirs)).toEqual(before)
  })

  test('gains nothing through a manipulated path', async () => {
    const base = `/agents/${ours.account}`
    const manipulated = [
      `${base}/../${theirs.account}/${theirs.agent}/observability/traces`,
      `${base}/%2e%2e/${theirs.account}/${theirs.agent}/observability/traces`,
      `${base}%2f..%2f${theirs.account}/${theirs.agent}/observability/traces`,
      `${base}/..%2f..%2f${theirs.account}%2f${theirs.agent}/observability/traces`,
      `${base};account=${theirs.account}/${theirs.agent}/observability/traces`,
      `${base}/${ours.agent}/observability/traces?account=${theirs.account}&name=${theirs.agent}`,
      `${base}/${ours.agent}/observability/traces/${theirs.good}?account=${theirs.account}`,
    ]
    // The stranger is a member of neither, whatever a path resolves to.
    for (const path of manipulated) {
      const { status } = await request('GET', path, { as: 'mallory' })
      expect([path, [403, 404].includes(status)]).toEqual([path, true])
    }
  })
})
