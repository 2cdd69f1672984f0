import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { RouteName } from './cases/observability-case.ts'
import { pathOf } from './cases/observability-cases.ts'
import { answersOf, BOTH_TRACES, NO_TRACES } from './support/observed-answers.ts'
import {
  endObservedWorld,
  HUGE_TOKENS,
  makeObservedWorld,
  SESSION,
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
  const get = async (route: RouteName, query = '') => {
    const { status, text, body } = await ask(
      'GET',
      pathOf(world, { route, caller: 'member', status: 200, query }),
      'member',
    )
    expect(status).toBe(200)
    return { text, body }
  }
  const answers = () => answersOf(world)

  test('of the list, newest first, with the limit and offset in effect', async () => {
    expect((await get('traces', range())).body).toEqual({
      traces: [answers().listedFailed, answers().listedGood],
      total: 2,
      limit: 50,
      offset: 0,
    })
    expect((await get('traces', `${range()}&limit=1&offset=1`)).body).toEqual({
      traces: [answers().listedGood],
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
      traces: [answers().listedFailed],
      total: 1,
    })
    expect((await get('traces', `${range()}&status=ok`)).body).toMatchObject({
      traces: [answers().listedGood],
      total: 1,
    })
    expect((await get('traces', `${range()}&build_id=b2`)).body.total).toBe(2)
    expect((await get('traces', `${range()}&build_id=b1`)).body.total).toBe(0)
    expect((await get('traces', `${range()}&q=question`)).body).toMatchObject({
      traces: [answers().listedGood],
      total: 1,
    })
  })

  test('of the sessions, and of one with its turns', async () => {
    const session = {
      session_id: SESSION,
      first_timestamp: answers().good.timestamp,
      last_timestamp: answers().good.timestamp,
      turn_count: 1,
      error_count: 0,
      input_tokens: Number(HUGE_TOKENS),
      output_tokens: 0,
      input: 'the question',
      output: 'the answer',
    }
    const page = { limit: 50, offset: 0 }
    const list = { sessions: [session], tokens_estimated: false, total: 1, ...page }
    expect((await get('sessions', range())).body).toEqual(list)
    expect((await get('sessions', `${range()}&q=chat/&has_errors=false`)).body).toEqual(list)
    expect((await get('sessions', `${range()}&user_id=ann`)).body.sessions).toEqual([])
    expect((await get('session')).body).toEqual({
      ...session,
      turns: [answers().listedGood],
      tokens_estimated: false,
      ...page,
    })
    expect((await get('session')).text).toContain(`"input_tokens":${HUGE_TOKENS}`)
  })

  test('of the buckets, zeros included, with every digit of the tokens', async () => {
    const { body, text } = await get('metrics', `${range()}&interval=1`)
    expect(body).toEqual({
      buckets: [
        {
          timestamp: start(),
          trace_count: 2,
          ...BOTH_TRACES,
        },
        {
          timestamp: new Date(world.startMs + 60_000).toISOString(),
          trace_count: 0,
          ...NO_TRACES,
        },
      ],
      tokens_estimated: false,
      time_range: { start: start(), end: end() },
      interval_minutes: 1,
    })
    expect(text).toContain(`"input_tokens":${HUGE_TOKENS}`)
  })

  test('of the groups', async () => {
    const grouped = async (by: string) => (await get('metrics', `${range()}&group_by=${by}`)).body
    const groups = async (by: string) => (await grouped(by)).groups
    const newBuilds = [{ build_id: 'b2', timestamp: answers().good.timestamp }]
    expect((await grouped('build')).new_builds).toEqual(newBuilds)
    expect(await grouped('model')).not.toHaveProperty('new_builds')
    expect(await groups('build')).toEqual([{ name: 'b2', request_count: 2, ...BOTH_TRACES }])
    expect(await groups('model')).toEqual([
      {
        ...BOTH_TRACES,
        name: 'm-1',
        request_count: 1,
        error_count: 0,
        avg_latency_ms: 20,
        p50_latency_ms: 20,
        p95_latency_ms: 20,
        p99_latency_ms: 20,
      },
    ])
  })

  test('of the summary', async () => {
    const { body, text } = await get('summary', range())
    expect(body).toEqual({
      total_traces: 2,
      time_range: { start: start(), end: end() },
      metrics: {
        ...BOTH_TRACES,
        total_tokens: Number(HUGE_TOKENS),
        tokens_estimated: false,
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
      ...answers().good,
      span_count: 1,
      error_span_count: 0,
      truncated: false,
      input_tokens: Number(HUGE_TOKENS),
      output_tokens: 0,
      cached_tokens: 0,
      reasoning_tokens: 0,
      models: ['m-1'],
      session_id: SESSION,
      spans: [
        {
          span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
          name: 'good',
          kind: 'server',
          type: 'model',
          status: 'ok',
          timestamp: answers().good.timestamp,
          latency_ms: 20,
          input: 'the question',
          output: 'the answer',
          model: 'm-1',
          session_id: SESSION,
          input_tokens: Number(HUGE_TOKENS),
          output_tokens: 0,
          cached_tokens: 0,
          cache_written_tokens: 0,
          reasoning_tokens: 0,
          total_input_tokens: 0,
          total_output_tokens: 0,
          input_messages: [{ role: 'user', text: 'the question' }],
          output_messages: [{ role: 'assistant', text: 'the answer' }],
          omitted_input_messages: 0,
          omitted_output_messages: 0,
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
      ...NO_TRACES,
      total_tokens: 0,
      tokens_estimated: false,
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
