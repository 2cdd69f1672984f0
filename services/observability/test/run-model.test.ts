import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { create, toBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { CostSource, MessageRole, SpanType } from '@slipway/proto/slipway/observability/v1/run'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { newSpanId, newTraceId, post, sendSpans, type TestSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

let platform: Platform
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prices-'))
  await writePrices(1)
  platform = await startPlatform(
    { MODEL_PRICES_FILE: join(folder, 'prices.yaml') },
    { limitsIntervalMs: 20 },
  )
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  for (const agent of ['helper', 'copy']) {
    platform.neighbours.tokens.set(agent, {
      accountId: 'acc-1',
      agent,
      deploymentId: 'dep-1',
      buildId: 'build-1',
    })
  }
})
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function writePrices(input: number): Promise<void> {
  const prices = `
providers: { acme: { names: [acme] } }
prices: [{ provider: acme, models: ['m-*'], from: 2025-01-01, input: ${input}, output: 4 }]`
  await writeFile(join(folder, 'prices.yaml'), prices)
}

async function getTrace(traceId: string, name = 'helper') {
  return await platform.traces.getTrace(
    { account: 'acme', name, traceId },
    await platform.as('alice'),
  )
}

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'acme' }

/** A run of an agent with a call of a model, which a second instrumentation repeats. */
function run(): readonly TestSpan[] {
  const traceId = newTraceId()
  const [agent, model, repeated] = [newSpanId(), newSpanId(), newSpanId()]
  const startMs = Date.now() - 60_000
  const usage = { 'gen_ai.usage.input_tokens': 3_000_000, 'gen_ai.usage.output_tokens': 500_000 }
  const conversation = [
    { role: 'system', parts: [{ type: 'text', content: 'Be kind.' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Where is it?' }] },
  ]
  const call = { type: 'tool_call', id: 'call-1', name: 'search', arguments: { text: 'it' } }
  return [
    {
      traceId,
      spanId: agent,
      startMs,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.usage.input_tokens': 3_000_000,
        'session.id': 's-1',
        'user.id': 'u-1',
      },
    },
    {
      traceId,
      spanId: model,
      parentSpanId: agent,
      startMs: startMs + 1,
      attributes: {
        ...chat,
        ...usage,
        'gen_ai.response.model': 'm-1',
        'gen_ai.response.finish_reasons': '["tool_calls"]',
        'gen_ai.response.time_to_first_chunk': 0.25,
        'gen_ai.input.messages': JSON.stringify(conversation),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [call] }]),
        'session.id': 's-2',
      },
    },
    {
      traceId,
      spanId: repeated,
      parentSpanId: model,
      startMs: startMs + 2,
      attributes: { ...chat, ...usage, 'gen_ai.response.model': 'm-1', 'operation.cost': 7.5 },
    },
  ]
}

test('a trace has the facts, the messages and the cost of its spans', async () => {
  const spans = run()
  await sendSpans(platform.ingestUrl, 'helper', spans)
  const trace = await getTrace(spans[0]?.traceId ?? '')
  expect(trace).toMatchObject({ costUsd: 5, models: ['m-1'], sessionId: 's-1', userId: 'u-1' })
  const [agent, model, repeated] = trace.spans
  expect(agent).toMatchObject({
    type: SpanType.AGENT,
    totalInputTokens: 3_000_000n,
    inputMessages: [],
  })
  expect([agent?.costUsd, agent?.costSource]).toEqual([undefined, CostSource.UNSPECIFIED])
  expect(model).toMatchObject({
    type: SpanType.MODEL,
    provider: 'acme',
    finishReason: 'tool_calls',
    timeToFirstTokenMs: 250,
    costUsd: 5,
    costSource: CostSource.PRICES,
    inputMessages: [
      { role: MessageRole.SYSTEM, text: 'Be kind.' },
      { role: MessageRole.USER, text: 'Where is it?' },
    ],
    outputMessages: [
      {
        role: MessageRole.ASSISTANT,
        text: '',
        toolCalls: [{ id: 'call-1', name: 'search', arguments: '{"text":"it"}' }],
      },
    ],
  })
  expect(repeated).toMatchObject({ totalInputTokens: 3_000_000n, totalCostUsd: 7.5 })
  expect([repeated?.costUsd, repeated?.costSource]).toEqual([undefined, CostSource.SENDER])
  expect(trace.costSource).toBe(CostSource.PRICES)
})

test('a cost that is sent without tokens counts, and has its source', async () => {
  const name = 'spender'
  const token = { accountId: 'acc-1', agent: name, deploymentId: 'd', buildId: 'b' }
  platform.neighbours.tokens.set(name, token)
  const [traceId, agent] = [newTraceId(), newSpanId()]
  const startMs = Date.now() - 60_000
  const cost = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.cost': 0.25 }
  await sendSpans(platform.ingestUrl, name, [
    { traceId, spanId: agent, startMs, attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
    { traceId, spanId: newSpanId(), parentSpanId: agent, startMs, attributes: cost },
    { traceId, spanId: newSpanId(), parentSpanId: agent, startMs, attributes: cost },
  ])
  const expected = { costUsd: 0.5, costSource: CostSource.SENDER, inputTokens: 0n }
  expect(await getTrace(traceId, name)).toMatchObject(expected)
  const request = { account: 'acme', name }
  const listed = await platform.traces.listTraces(request, await platform.as('alice'))
  expect(listed.traces).toMatchObject([expected])
  const summary = await platform.traces.getSummary(request, await platform.as('alice'))
  expect(summary).toMatchObject({ costUsd: 0.5, totalTokens: 0n })
})

test('new prices apply to the spans that arrive after the change', async () => {
  const costNow = async () => {
    const spans = run()
    await sendSpans(platform.ingestUrl, 'helper', spans)
    return (await getTrace(spans[0]?.traceId ?? '')).costUsd
  }
  await writePrices(2)
  await expect.poll(costNow).toBe(8)
  await writeFile(join(folder, 'prices.yaml'), 'prices: [{}]')
  expect(await costNow()).toBe(8)
})

test('an exported trace is the same when another agent sends it', async () => {
  const spans = run()
  const traceId = spans[0]?.traceId ?? ''
  await sendSpans(platform.ingestUrl, 'helper', spans)
  const { resourceSpans, isTruncated } = await platform.traces.exportTrace(
    { account: 'acme', name: 'helper', traceId },
    await platform.as('alice'),
  )
  expect(isTruncated).toBe(false)
  const request = create(ExportTraceServiceRequestSchema, { resourceSpans })
  const body = new Uint8Array(toBinary(ExportTraceServiceRequestSchema, request))
  expect((await post(platform.ingestUrl, 'copy', body)).status).toBe(200)
  expect(await getTrace(traceId, 'copy')).toEqual(await getTrace(traceId))
})

test('messages beyond the size of a response are omitted, and the trace says so', async () => {
  const traceId = newTraceId()
  const startMs = Date.now() - 60_000
  const messages = JSON.stringify(
    Array.from({ length: 40 }, (_, index) => ({
      role: 'user',
      parts: [{ type: 'text', content: `${index} ${'x'.repeat(1_000)}` }],
    })),
  )
  const spans = Array.from({ length: 100 }, (_, index) => ({
    traceId,
    spanId: newSpanId(),
    startMs: startMs + index,
    attributes: { ...chat, 'gen_ai.input.messages': messages },
  }))
  await sendSpans(platform.ingestUrl, 'helper', spans)
  const trace = await getTrace(traceId)
  expect(trace.isTruncated).toBe(true)
  const [first] = trace.spans
  const kept = first?.inputMessages.length ?? 0
  expect(kept).toBeGreaterThan(20)
  expect(first?.omittedInputMessages).toBe(40 - kept)
  expect(first?.inputMessages.at(-1)?.text).toMatch(/^39 x+$/)
  expect(trace.spans.at(-1)?.inputMessages).toEqual([])
})
