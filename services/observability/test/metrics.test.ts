import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { MetricsGrouping } from '@slipway/proto/slipway/observability/v1/trace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listTraces, newAgent, OWNER, rootSpan, startWithAccounts } from './support/agents.ts'
import { newSpanId, sendSpans, type TestSpan } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform
const baseMs = Date.now() - 3_600_000

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

async function getMetrics(name: string, request: object = {}) {
  return await platform.traces.getMetrics(
    { account: 'acme', name, intervalMinutes: 44_640, ...request },
    await platform.as('alice'),
  )
}

async function getSummary(name: string) {
  return await platform.traces.getSummary({ account: 'acme', name }, await platform.as('alice'))
}

const usage = (operation: string, input: number, more: TestSpan['attributes'] = {}) => ({
  'gen_ai.operation.name': operation,
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': 1,
  ...more,
})

/** A span below another one. */
function below(parent: TestSpan, changes: Partial<TestSpan>): TestSpan {
  return {
    traceId: parent.traceId,
    spanId: newSpanId(),
    parentSpanId: parent.spanId,
    startMs: parent.startMs + 1,
    ...changes,
  }
}

describe('tokens', () => {
  const root = () => rootSpan({ startMs: baseMs, attributes: { 'session.id': 'chat' } })
  const chat = (parent: TestSpan, input: number, response = '') =>
    below(parent, { attributes: usage('chat', input, { 'gen_ai.response.id': response }) })

  test.each<[string, () => readonly TestSpan[]]>([
    [
      'of a call that another request repeats inside of it',
      () => {
        const top = root()
        const outer = chat(top, 100)
        return [top, chat(outer, 90), outer]
      },
    ],
    [
      'of a response',
      () => {
        const top = root()
        return [top, chat(top, 100, 'r'), { ...chat(top, 100, 'r'), startMs: baseMs + 2 }]
      },
    ],
    [
      'of agents without calls',
      () => {
        const top = { ...root(), attributes: usage('invoke_agent', 100, { 'session.id': 'chat' }) }
        const tool = below(top, {})
        return [top, tool, below(tool, { attributes: usage('invoke_agent', 40) })]
      },
    ],
  ])('%s count once, whichever span arrives first', async (_, makeSpans) => {
    const { name, token } = newAgent(platform)
    const spans = makeSpans()
    const other = root()
    await sendSpans(platform.ingestUrl, token, [other, chat(other, 7)])
    for (const span of spans) await sendSpans(platform.ingestUrl, token, [span])
    const again = makeSpans()
    for (const span of again.toReversed()) await sendSpans(platform.ingestUrl, token, [span])

    const expected = { inputTokens: 207n, outputTokens: 3n }
    expect(
      (await getMetrics(name)).buckets.find(({ traceCount }) => traceCount > 0n),
    ).toMatchObject(expected)
    expect(await getSummary(name)).toMatchObject({
      ...expected,
      totalTokens: 210n,
      isTokenEstimate: false,
    })
    const { traces } = await listTraces(platform, name)
    const entries = traces.map(({ inputTokens }) => inputTokens)
    expect(entries.toSorted((a, b) => Number(a - b))).toEqual([7n, 100n, 100n])
    const sessions = await platform.traces.listSessions(
      { account: 'acme', name },
      await platform.as('alice'),
    )
    expect(sessions.sessions).toMatchObject([expected])
    expect(await listTraces(platform, name, { minTokens: 101n })).toMatchObject({ total: 2n })
    expect(await listTraces(platform, name, { minTokens: 102n })).toMatchObject({ total: 0n })
  })

  test('are estimated when too many traces report them twice', async () => {
    const { name, token } = newAgent(platform)
    const calls = Array.from({ length: 1001 }, () => {
      const top = root()
      return [chat(top, 1, 'r'), { ...chat(top, 1, 'r'), startMs: baseMs + 2 }, top] as const
    })
    await sendSpans(
      platform.ingestUrl,
      token,
      calls.flatMap(([first, , top]) => [first, top]),
    )
    await sendSpans(
      platform.ingestUrl,
      token,
      calls.map(([, second]) => second),
    )
    expect(await getSummary(name)).toMatchObject({ isTokenEstimate: true, inputTokens: 1002n })
  })
})

describe('the cost', () => {
  test('counts each response once, in metrics, sessions and filters', async () => {
    const { name, token } = newAgent(platform)
    const top = rootSpan({ startMs: baseMs, attributes: { 'session.id': 'chat' } })
    const paid = usage('chat', 10, {
      'gen_ai.usage.cost': 0.25,
      'gen_ai.response.id': 'r',
      'gen_ai.response.time_to_first_chunk': 0.5,
      'gen_ai.response.model': 'm',
    })
    const calls = [1, 2].map((ms) =>
      below(top, { startMs: baseMs + ms, durationMs: 900, attributes: paid }),
    )
    for (const span of [top, ...calls]) await sendSpans(platform.ingestUrl, token, [span])

    const expected = { costUsd: 0.25 }
    const first = { ...expected, firstTokenMs: 500 }
    const metrics = await getMetrics(name, { groupBy: MetricsGrouping.MODEL })
    expect(metrics.buckets.find(({ traceCount }) => traceCount > 0n)).toMatchObject(first)
    expect(metrics.groups).toMatchObject([first])
    expect(await getSummary(name)).toMatchObject(first)
    const sessions = await platform.traces.listSessions(
      { account: 'acme', name },
      await platform.as('alice'),
    )
    expect(sessions.sessions).toMatchObject([expected])
    const list = await listTraces(platform, name, { minCostUsd: 0.25 })
    expect(list.traces).toMatchObject([expected])
    expect(await listTraces(platform, name, { minCostUsd: 0.26 })).toMatchObject({ total: 0n })
  })
})

describe('percentiles and cached tokens', () => {
  test('are in the summary and in buckets', async () => {
    const { name, token } = newAgent(platform)
    const cached = { 'gen_ai.usage.cache_read.input_tokens': 4 }
    const spans = Array.from({ length: 100 }, (_, index) =>
      rootSpan({ startMs: baseMs, durationMs: 100 - index, attributes: usage('chat', 5, cached) }),
    )
    await sendSpans(platform.ingestUrl, token, spans)
    const expected = { p50LatencyMs: 50, p95LatencyMs: 95, p99LatencyMs: 99, cachedTokens: 400n }
    expect(await getSummary(name)).toMatchObject(expected)
    expect(
      (await getMetrics(name)).buckets.find(({ traceCount }) => traceCount > 0n),
    ).toMatchObject(expected)
  })
})

describe('groups', () => {
  test('by model have the calls of each model', async () => {
    const { name, token } = newAgent(platform)
    const top = rootSpan({ startMs: baseMs, attributes: usage('invoke_agent', 500) })
    const call = (model: string, changes: Partial<TestSpan> = {}) =>
      below(top, { attributes: usage('chat', 10, { 'gen_ai.response.model': model }), ...changes })
    const outer = call('a', { durationMs: 8 })
    const inner = { ...call('a'), parentSpanId: outer.spanId }
    await sendSpans(platform.ingestUrl, token, [top, inner, call('b', { isError: true })])
    await sendSpans(platform.ingestUrl, token, [outer, call('a', { durationMs: 4 })])
    expect((await getMetrics(name, { groupBy: MetricsGrouping.MODEL })).groups).toMatchObject([
      {
        name: 'a',
        isRest: false,
        requestCount: 2n,
        errorCount: 0n,
        avgLatencyMs: 6,
        p50LatencyMs: 4,
        p99LatencyMs: 8,
        inputTokens: 20n,
      },
      { name: 'b', requestCount: 1n, errorCount: 1n, inputTokens: 10n },
    ])
    expect((await getMetrics(name)).groups).toEqual([])
  })

  test('beyond the largest 20 are one group', async () => {
    const { name, token } = newAgent(platform)
    const spans = Array.from({ length: 23 }, (_, model) =>
      Array.from({ length: model === 22 ? 3 : 2 }, () =>
        rootSpan({
          startMs: baseMs,
          attributes: usage('chat', 10, { 'gen_ai.response.model': `model-${model + 10}` }),
        }),
      ),
    )
    await sendSpans(platform.ingestUrl, token, spans.flat())
    const { groups } = await getMetrics(name, { groupBy: MetricsGrouping.MODEL })
    expect(groups.map((group) => group.name)).toEqual([
      'model-32',
      ...Array.from({ length: 19 }, (_, model) => `model-${model + 10}`),
      '',
    ])
    expect(groups.at(-1)).toMatchObject({ isRest: true, requestCount: 6n, inputTokens: 60n })
  })

  test('by build have the traces of each build, and new builds are shown', async () => {
    const { name, token } = newAgent(platform)
    for (const [buildId, second] of [
      ['old', -7200],
      ['old', 1],
      ['new', 2],
      ['new', 3],
    ] as const) {
      platform.neighbours.tokens.set(`${token}-${buildId}`, { ...OWNER, agent: name, buildId })
      const top = rootSpan({ startMs: baseMs + second * 1000, isError: second === 3 })
      await sendSpans(platform.ingestUrl, `${token}-${buildId}`, [
        top,
        below(top, { attributes: usage('chat', 10) }),
      ])
    }
    const range = { start: timestampFromMs(baseMs), end: timestampFromMs(baseMs + 10_000) }
    const metrics = await getMetrics(name, { groupBy: MetricsGrouping.BUILD, range })
    expect(metrics.groups).toMatchObject([
      { name: 'new', requestCount: 2n, errorCount: 1n, inputTokens: 20n },
      { name: 'old', requestCount: 1n, errorCount: 0n, inputTokens: 10n },
    ])
    const markers = metrics.newBuilds.map(({ buildId, firstStartTime }) => [
      buildId,
      firstStartTime && timestampMs(firstStartTime),
    ])
    expect(markers).toEqual([['new', baseMs + 2000]])
  })
})
