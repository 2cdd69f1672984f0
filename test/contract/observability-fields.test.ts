import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

describe('all fields', () => {
  const end = () => new Date(world.startMs + 120_000).toISOString()
  const start = () => new Date(world.startMs).toISOString()
  const range = () => `start_time=${start()}&end_time=${end()}`
  const get = async (route: 'traces' | 'metrics' | 'summary' | 'trace', query = '') => {
    const { status, text, body } = await ask(
      'GET',
      pathOf(world, { route, caller: 'member', status: 200, query }),
      'member',
    )
    expect(status).toBe(200)
    return { text, body }
  }
  const good = () => ({
    trace_id: world.good,
    name: 'good',
    status: 'ok',
    latency_ms: 20,
    input: 'the question',
    output: 'the answer',
    timestamp: new Date(world.startMs + 100).toISOString(),
  })
  const failed = () => ({
    trace_id: world.failed,
    name: 'failed',
    status: 'error',
    latency_ms: 40,
    input: '',
    output: '',
    timestamp: new Date(world.startMs + 200).toISOString(),
  })

  test('of the list, newest first, with the limit and offset in effect', async () => {
    expect((await get('traces', range())).body).toEqual({
      traces: [failed(), good()],
      total: 2,
      limit: 50,
      offset: 0,
    })
    expect((await get('traces', `${range()}&limit=1&offset=1`)).body).toEqual({
      traces: [good()],
      total: 2,
      limit: 1,
      offset: 1,
    })
    expect((await get('traces', `${range()}&offset=2`)).body).toEqual({
      traces: [],
      total: 2,
      limit: 50,
      offset: 2,
    })
    expect((await get('traces', `${range()}&status=error`)).body).toMatchObject({
      traces: [failed()],
      total: 1,
    })
    expect((await get('traces', `${range()}&status=ok`)).body).toMatchObject({
      traces: [good()],
      total: 1,
    })
    expect((await get('traces', `${range()}&build_id=b2`)).body.total).toBe(2)
    expect((await get('traces', `${range()}&build_id=b1`)).body.total).toBe(0)
    expect((await get('traces', `${range()}&q=question`)).body).toMatchObject({
      traces: [good()],
      total: 1,
    })
  })

  test('of the buckets, zeros included, with every digit of the tokens', async () => {
    const { body, text } = await get('metrics', `${range()}&interval=1`)
    expect(body).toEqual({
      buckets: [
        {
          timestamp: start(),
          trace_count: 2,
          avg_latency_ms: 30,
          p95_latency_ms: 40,
          input_tokens: Number(HUGE_TOKENS),
          output_tokens: 0,
          error_count: 1,
        },
        {
          timestamp: new Date(world.startMs + 60_000).toISOString(),
          trace_count: 0,
          avg_latency_ms: 0,
          p95_latency_ms: 0,
          input_tokens: 0,
          output_tokens: 0,
          error_count: 0,
        },
      ],
      time_range: { start: start(), end: end() },
      interval_minutes: 1,
    })
    expect(text).toContain(`"input_tokens":${HUGE_TOKENS}`)
  })

  test('of the summary', async () => {
    const { body, text } = await get('summary', range())
    expect(body).toEqual({
      total_traces: 2,
      time_range: { start: start(), end: end() },
      metrics: {
        avg_latency_ms: 30,
        p95_latency_ms: 40,
        total_tokens: Number(HUGE_TOKENS),
        error_rate: 0.5,
        traces_per_hour: 60,
      },
    })
    expect(text).toContain(`"total_tokens":${HUGE_TOKENS}`)
  })

  test('of a single trace', async () => {
    const { body, text } = await get('trace')
    const [span] = body.spans
    expect(body).toEqual({
      ...good(),
      span_count: 1,
      error_span_count: 0,
      truncated: false,
      input_tokens: Number(HUGE_TOKENS),
      output_tokens: 0,
      spans: [
        {
          span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
          name: 'good',
          kind: 'server',
          status: 'ok',
          timestamp: good().timestamp,
          latency_ms: 20,
          input: 'the question',
          output: 'the answer',
          model: 'm-1',
          input_tokens: Number(HUGE_TOKENS),
          output_tokens: 0,
          build_id: 'b2',
          attributes: expect.objectContaining({ 'gen_ai.request.model': 'm-1' }),
          events: [],
          children: [],
        },
      ],
    })
    expect(text.split(HUGE_TOKENS).length).toBeGreaterThanOrEqual(3)
    expect(span).not.toHaveProperty('status_message')
  })

  test('of an empty range are empty or zero, never NaN or absent', async () => {
    const nothing = 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T00:02:00Z'
    const time_range = { start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T00:02:00.000Z' }
    expect((await get('traces', nothing)).body).toEqual({
      traces: [],
      total: 0,
      limit: 50,
      offset: 0,
    })
    const metrics = {
      avg_latency_ms: 0,
      p95_latency_ms: 0,
      total_tokens: 0,
      error_rate: 0,
      traces_per_hour: 0,
    }
    expect((await get('summary', nothing)).body).toEqual({ total_traces: 0, time_range, metrics })
    const { body } = await get('metrics', `${nothing}&interval=2`)
    expect(body).toMatchObject({
      time_range,
      interval_minutes: 2,
      buckets: [{ timestamp: time_range.start }],
    })
  })

  test('without a range cover the last 24 hours', async () => {
    const before = Date.now()
    for (const route of ['metrics', 'summary'] as const) {
      const { time_range } = (await get(route)).body
      expect(Date.parse(time_range.end) - Date.parse(time_range.start)).toBe(24 * 3_600_000)
      expect(Date.parse(time_range.end)).toBeGreaterThanOrEqual(before)
      expect(
        [time_range.start, time_range.end].every((time) => /T\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)),
      ).toBe(true)
    }
    expect((await get('metrics')).body.interval_minutes).toBe(60)
    const { time_range } = (await get('summary', 'end_time=2026-01-02T00:00:00%2B01:00')).body
    expect(time_range).toEqual({
      start: '2025-12-31T23:00:00.000Z',
      end: '2026-01-01T23:00:00.000Z',
    })
  })
})
