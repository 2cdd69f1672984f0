import { Code } from '@connectrpc/connect'
import { SpanKind, TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { newSpanId, newTraceId, sendSpans, type TestSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform()
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  for (const agent of ['helper', 'other']) {
    platform.neighbours.tokens.set(agent, {
      accountId: 'acc-1',
      agent,
      deploymentId: 'dep-1',
      buildId: 'build-1',
    })
  }
})
afterAll(() => platform?.[Symbol.asyncDispose]())

async function getTrace(traceId: string, name = 'helper') {
  return await platform.traces.getTrace(
    { account: 'acme', name, traceId },
    await platform.as('alice'),
  )
}

function newTrace() {
  const traceId = newTraceId()
  const startMs = Date.now() - 60_000
  return (spanId: string, parentSpanId: string, changes: Partial<TestSpan> = {}): TestSpan => ({
    traceId,
    spanId,
    parentSpanId,
    startMs,
    name: spanId.slice(0, 1),
    ...changes,
  })
}

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(16)) as [
  string,
  string,
  string,
  string,
]

test('returns a trace with its spans sorted as a tree', async () => {
  const span = newTrace()
  const { traceId, startMs } = span(a, '')
  await sendSpans(platform.ingestUrl, 'helper', [
    span(d, b, {
      startMs: startMs + 3,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 7 },
    }),
    span(c, a, { startMs: startMs + 2, isError: true }),
    span(b, a, {
      startMs: startMs + 1,
      attributes: { large: 2n ** 62n, text: 'x', huge: 1.5e308 },
    }),
    span(a, '', {
      durationMs: 5,
      attributes: { 'input.value': 'hi', 'gen_ai.usage.output_tokens': 3 },
    }),
  ])
  const answer = await getTrace(traceId.toUpperCase())
  expect(answer.trace).toMatchObject({
    traceId,
    name: 'a',
    status: TraceStatus.OK,
    latencyMs: 5,
    input: 'hi',
  })
  expect(answer.spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId])).toEqual([
    [a, ''],
    [b, a],
    [d, b],
    [c, a],
  ])
  expect(answer.spans[1]).toMatchObject({
    kind: SpanKind.INTERNAL,
    buildId: 'build-1',
    attributes: { large: String(2n ** 62n), text: 'x', huge: 1.5e308 },
  })
  expect(answer.spans[3]?.status).toBe(TraceStatus.ERROR)
  expect(answer).toMatchObject({
    spanCount: 4,
    isTruncated: false,
    inputTokens: 7n,
    outputTokens: 3n,
  })
})

test('puts spans with a missing parent, and cycles of spans, at the top', async () => {
  const span = newTrace()
  const { traceId } = span(a, '')
  await sendSpans(platform.ingestUrl, 'helper', [span(a, '9'.repeat(16)), span(b, c), span(c, b)])
  const { spans } = await getTrace(traceId)
  expect(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId])).toEqual([
    [a, ''],
    [b, ''],
    [c, b],
  ])
})

test('returns a chain of a thousand spans', async () => {
  const traceId = newTraceId()
  const ids = Array.from({ length: 1000 }, newSpanId)
  const startMs = Date.now() - 60_000
  const spans = ids.map((spanId, index) => ({
    traceId,
    spanId,
    parentSpanId: ids[index - 1] ?? '',
    startMs,
  }))
  await sendSpans(platform.ingestUrl, 'helper', spans.toReversed())
  const answer = await getTrace(traceId)
  expect(answer.spans.map(({ spanId }) => spanId)).toEqual(ids)
})

test('truncates a trace to what a response can hold', async () => {
  const traceId = newTraceId()
  const startMs = Date.now() - 60_000
  const attributes = { 'input.value': 'x'.repeat(16_384), more: 'y'.repeat(16_384) }
  const spans = Array.from({ length: 400 }, () => ({
    traceId,
    spanId: newSpanId(),
    startMs,
    attributes,
  }))
  await sendSpans(platform.ingestUrl, 'helper', spans)
  const answer = await getTrace(traceId)
  expect(answer).toMatchObject({ spanCount: 400, isTruncated: true })
  const detailed = answer.spans.filter((span) => span.attributes !== undefined)
  expect(detailed.length).toBeGreaterThan(50)
  expect(detailed.length).toBeLessThan(400)
})

test('truncates a trace to the JSON values that can be read without blocking others', async () => {
  const span = newTrace()
  const values = Array<number>(4_000).fill(1)
  const spans = Array.from({ length: 20 }, () => span(newSpanId(), '', { attributes: { values } }))
  await sendSpans(platform.ingestUrl, 'helper', spans)
  const { traceId } = span(a, '')
  const answer = await getTrace(traceId)
  expect(answer).toMatchObject({ spanCount: 20, isTruncated: true })
  const detailed = answer.spans.filter(({ attributes }) => attributes !== undefined)
  expect(detailed.map((each) => each.attributes)).toEqual(Array(12).fill({ values }))
  const request = { account: 'acme', name: 'helper', traceId }
  const exported = await platform.traces.exportTrace(request, await platform.as('alice'))
  expect(exported.isTruncated).toBe(true)
  const exportedSpans = exported.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
  expect(exportedSpans.filter((each) => each.attributes.length > 0)).toHaveLength(12)
})

test('agrees with the list on a truncated trace', async () => {
  const traceId = newTraceId()
  const startMs = Date.now() - 60_000
  const root = { traceId, spanId: newSpanId(), startMs: startMs + 9_000, name: 'root' }
  const child = (index: number, text: Record<string, string>) => {
    return {
      traceId,
      spanId: newSpanId(),
      parentSpanId: root.spanId,
      startMs: startMs + index,
      attributes: text,
    }
  }
  const silent = Array.from({ length: 5_200 }, (_, index) =>
    child(index, { more: 'y'.repeat(1_024) }),
  )
  const spans = [
    root,
    ...silent,
    child(8_000, { 'input.value': 'late question', 'output.value': 'late answer' }),
  ]
  for (let first = 0; first < spans.length; first += 1_000) {
    await sendSpans(platform.ingestUrl, 'helper', spans.slice(first, first + 1_000))
  }
  const { trace, spanCount, isTruncated, spans: kept } = await getTrace(traceId)
  expect([spanCount, kept.length, isTruncated]).toEqual([5_202, 5_000, true])
  expect(trace).toMatchObject({ name: 'root', input: 'late question', output: 'late answer' })
  const list = await platform.traces.listTraces(
    { account: 'acme', name: 'helper' },
    await platform.as('alice'),
  )
  const listed = list.traces.find((each) => each.traceId === traceId)
  const { name, status, latencyMs, input, output, startTime } = trace ?? {}
  expect(listed).toMatchObject({ name, status, latencyMs, input, output, startTime, spanCount })
})

test('keeps the same trace id of two agents apart', async () => {
  const span = newTrace()
  const { traceId } = span(a, '')
  await sendSpans(platform.ingestUrl, 'helper', [span(a, '')])
  await sendSpans(platform.ingestUrl, 'other', [span(b, ''), span(c, b)])
  expect((await getTrace(traceId)).spans.map(({ spanId }) => spanId)).toEqual([a])
  expect((await getTrace(traceId, 'other')).spans.map(({ spanId }) => spanId)).toEqual([b, c])
})

test.each([
  ['an unknown trace', newTraceId(), Code.NotFound, 'trace_not_found'],
  ['an invalid trace id', 'xyz', Code.InvalidArgument, 'invalid_argument'],
])('rejects %s', async (_, traceId, code, reason) => {
  const error = readRemoteError(await getTrace(traceId).catch((thrown: unknown) => thrown))
  expect(error).toMatchObject({ code, reason })
})
