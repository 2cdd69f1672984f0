import { Code } from '@connectrpc/connect'
import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listTraces, newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { newSpanId, sendSpans, type TestSpan } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

type Attributes = NonNullable<TestSpan['attributes']>

/** A run with a root, and spans below it that start a millisecond after each other. */
function run(root: Partial<TestSpan>, ...children: readonly Attributes[]): readonly TestSpan[] {
  const top = rootSpan(root)
  return [
    top,
    ...children.map((attributes, index) => ({
      traceId: top.traceId,
      spanId: newSpanId(),
      parentSpanId: top.spanId,
      startMs: top.startMs + index + 1,
      attributes,
    })),
  ]
}

const call = (model: string, input: number, output: number, more: Attributes = {}): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.response.model': model,
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  ...more,
})
const tool = (name: string, more: Attributes = {}): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  ...more,
})
const session = (id: string) => ({ 'session.id': id })

describe('an entry', () => {
  test('has the facts of all spans of its trace', async () => {
    const { name, token } = newAgent(platform)
    const cached = {
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.reasoning.output_tokens': 3,
    }
    await sendSpans(
      platform.ingestUrl,
      token,
      run(
        { attributes: { 'user.id': 'ann' } },
        call('small', 7, 2, session('chat-1')),
        tool('search', { ...session('chat-2'), 'user.id': 'ben', 'error.type': 'timeout' }),
        call('large', 100, 20, cached),
        call('small', 1, 1),
      ),
    )
    expect((await listTraces(platform, name)).traces).toMatchObject([
      {
        sessionId: 'chat-1',
        userId: 'ann',
        models: ['large', 'small'],
        inputTokens: 108n,
        outputTokens: 23n,
        cachedTokens: 40n,
        reasoningTokens: 3n,
        spanCount: 5,
        errorSpanCount: 1,
        buildId: 'build-1',
      },
    ])
  })

  test('counts the tokens of a response once', async () => {
    const { name, token } = newAgent(platform)
    const response = { 'gen_ai.response.id': 'response-1' }
    const spans = run({}, call('m', 7, 2, response), call('m', 7, 2, response), call('m', 1, 1))
    await sendSpans(platform.ingestUrl, token, spans.slice(0, 2))
    await sendSpans(platform.ingestUrl, token, spans.slice(2))
    expect((await listTraces(platform, name)).traces).toMatchObject([
      { inputTokens: 8n, outputTokens: 3n },
    ])
  })
})

describe('the filter', () => {
  let name: string
  const starts = new Map<string, string>()

  beforeAll(async () => {
    const agent = newAgent(platform)
    name = agent.name
    const runs = {
      first: run(
        { durationMs: 5000, attributes: session('a%b') },
        call('large', 900, 100, { 'user.id': 'ann' }),
        tool('search'),
      ),
      // Its session is the one that its first span has.
      second: run(
        { startMs: Date.now() - 59_000, attributes: session('b') },
        call('small', 10, 5, session('a%b')),
        tool('search', { 'error.type': 'timeout' }),
      ),
      third: run({ startMs: Date.now() - 58_000 }, tool('fetch')),
    }
    for (const [key, spans] of Object.entries(runs)) {
      starts.set(spans[0]?.traceId ?? '', key)
      await sendSpans(platform.ingestUrl, agent.token, spans)
    }
  })

  test.each([
    [{ sessionId: 'a%b' }, ['first']],
    [{ sessionId: 'b' }, ['second']],
    [{ sessionId: 'a' }, []],
    [{ userId: 'ann' }, ['first']],
    [{ model: 'small' }, ['second']],
    [{ tool: 'search' }, ['second', 'first']],
    [{ tool: 'search', model: 'large' }, ['first']],
    [{ minTokens: 15n }, ['second', 'first']],
    [{ minTokens: 16n }, ['first']],
    [{ maxTokens: 15n }, ['third', 'second']],
    [{ maxTokens: 0n }, ['third']],
    [{ minLatencyMs: 5000 }, ['first']],
    [{ hasErrors: true }, ['second']],
    [{ hasErrors: false }, ['third', 'first']],
    [{ hasErrors: false, tool: 'fetch', query: 'answer', buildId: 'build-1' }, ['third']],
    [{ sessionId: "' OR 1=1 --" }, []],
  ])('$0 selects $1', async (filter, expected) => {
    const { traces, total } = await listTraces(platform, name, filter)
    expect(traces.map(({ traceId }) => starts.get(traceId))).toEqual(expected)
    expect(total).toBe(BigInt(expected.length))
    // A range of most of the retention has other queries.
    const range = { start: { seconds: BigInt(Math.trunc(Date.now() / 1000) - 25 * 86_400) } }
    const long = await listTraces(platform, name, { ...filter, range })
    expect(long.traces).toEqual(traces)
  })

  test('holds on all pages', async () => {
    const first = await listTraces(platform, name, { tool: 'search', pageSize: 1 })
    const next = { tool: 'search', pageSize: 1, pageToken: first.nextPageToken }
    const second = await listTraces(platform, name, next)
    expect([first, second].map(({ traces }) => starts.get(traces[0]?.traceId ?? ''))).toEqual([
      'second',
      'first',
    ])
    expect(second.nextPageToken).toBe('')
  })

  test.each([
    ['session_id', { sessionId: 'x'.repeat(257) }],
    ['user_id', { userId: 'a\0' }],
    ['model', { model: 'x'.repeat(257) }],
    ['tool', { tool: 'x'.repeat(257) }],
    ['min_tokens', { minTokens: -1n }],
    ['max_tokens', { maxTokens: 10n ** 12n + 1n }],
    ['min_cost_usd', { minCostUsd: 1_000_001 }],
    ['min_latency_ms', { minLatencyMs: -1 }],
    ['min_latency_ms', { minLatencyMs: Number.NaN }],
  ])('rejects a %s out of bounds', async (field, request) => {
    const error = readRemoteError(
      await listTraces(platform, name, request).catch((thrown: unknown) => thrown),
    )
    expect(error).toMatchObject({ code: Code.InvalidArgument, reason: 'invalid_argument' })
    expect(error.violations.map((violation) => violation.field)).toEqual([field])
  })
})
