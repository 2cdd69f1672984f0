import { afterAll, beforeAll, expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'
import type { RouteName } from './cases/observability-case.ts'
import { pathOf } from './cases/observability-cases.ts'
import {
  endObservedWorld,
  HUGE_TOKENS,
  makeObservedWorld,
  type ObservedWorld,
} from './support/trace-fixture.ts'
import { ask } from './support/catalog-fixture.ts'

let world: ObservedWorld

beforeAll(async () => {
  world = await makeObservedWorld()
})
afterAll(async () => {
  await endObservedWorld(world)
})

function range(): string {
  const [start, end] = [world.startMs, world.startMs + 120_000].map((ms) =>
    new Date(ms).toISOString(),
  )
  return `start_time=${start}&end_time=${end}`
}

async function get(route: RouteName, query = '') {
  const path = pathOf(world, { route, caller: 'member', status: 200, query })
  const { status, text, body } = await ask('GET', path, 'member')
  expect(status).toBe(200)
  return { text, body }
}

test('exports the trace itself as a line, and OTLP that can be sent again', async () => {
  const trace = (await get('trace')).body
  const lines = (await get('exports', `${range()}&format=jsonl`)).text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual([world.failed, world.good])
  expect(JSON.parse(lines[1] ?? '')).toEqual(trace)

  const otlp = await get('export')
  expect(otlp.body.resourceSpans[0].scopeSpans[0].spans).toEqual([
    expect.objectContaining({ traceId: world.good, spanId: trace.spans[0].span_id, kind: 2 }),
  ])
  expect(otlp.text).toContain(`{"intValue":"${HUGE_TOKENS}"}`)
  const again = await fetch(`${fromStack('SLIPWAY_OTLP_URL')}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    body: otlp.text,
  })
  expect([again.status, await again.text()]).toEqual([200, '{}'])
  expect((await get('trace')).body).toEqual(trace)
})

test('names the next traces if there are more than the limit', async () => {
  const exported = async (path: string): Promise<readonly unknown[]> => {
    const { text, headers } = await ask('GET', path, 'member')
    const next = /^<\/api\/v1(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    const ids = JSON.parse(text).resourceSpans.map(
      (each: { scopeSpans: readonly [{ spans: readonly [{ traceId: string }] }] }) =>
        each.scopeSpans[0].spans[0].traceId,
    )
    return [ids, ...(next === undefined ? [] : await exported(next))]
  }
  const query = `${range()}&limit=1`
  const path = pathOf(world, { route: 'exports', caller: 'member', status: 200, query })
  expect(await exported(path)).toEqual([[world.failed], [world.good]])
  const none = `${path}&status=ok&q=nothing`
  expect((await ask('GET', none, 'member')).text).toBe('{"resourceSpans":[]}\n')
})
