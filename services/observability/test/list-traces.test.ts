import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listTraces, newAgent, OWNER, rootSpan, startWithAccounts } from './support/agents.ts'
import { newSpanId, sendSpans, type TestSpan } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

describe('a trace', () => {
  test('has the name, status, duration, input and output of its root', async () => {
    const { name, token } = newAgent(platform)
    const root = rootSpan({
      durationMs: 12.5,
      attributes: { 'input.value': 'Hi?', 'output.value': 'Hello!' },
    })
    const call = { ...root, spanId: newSpanId(), parentSpanId: root.spanId, name: 'chat' }
    await sendSpans(platform.ingestUrl, token, [call, root])
    const { traces, total } = await listTraces(platform, name)
    expect(total).toBe(1n)
    const [trace] = traces
    expect(trace).toMatchObject({
      traceId: root.traceId,
      name: 'answer',
      status: TraceStatus.OK,
      latencyMs: 12.5,
      input: 'Hi?',
      output: 'Hello!',
    })
    expect(trace?.startTime && timestampDate(trace.startTime)).toEqual(new Date(root.startMs))
  })

  test('has the input and output of its model calls when its root has none', async () => {
    const { name, token } = newAgent(platform)
    const root = rootSpan()
    const call = (startMs: number, question: string, answer: string): TestSpan => ({
      ...root,
      spanId: newSpanId(),
      parentSpanId: root.spanId,
      startMs,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: question }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: answer }] },
        ]),
      },
    })
    await sendSpans(platform.ingestUrl, token, [
      call(root.startMs + 20, 'second question', 'second answer'),
      call(root.startMs + 10, 'first question', 'first answer'),
      root,
    ])
    const { traces } = await listTraces(platform, name)
    expect(traces).toMatchObject([{ input: 'first question', output: 'second answer' }])
  })
})

describe('a page', () => {
  test('is sorted newest first, ties by trace id; pages have no gaps or repeats', async () => {
    const { name, token } = newAgent(platform)
    const base = Date.now() - 3_600_000
    const spans = Array.from({ length: 25 }, (_, index) =>
      rootSpan({ startMs: base + Math.floor(index / 5) * 1000 }),
    )
    await sendSpans(platform.ingestUrl, token, spans)
    const expected = spans
      .toSorted((a, b) => b.startMs - a.startMs || (a.traceId < b.traceId ? -1 : 1))
      .map(({ traceId }) => traceId)
    const pages = await Promise.all(
      [0, 10, 20, 30].map((skip) => listTraces(platform, name, { pageSize: 10, skip })),
    )
    expect(pages.flatMap(({ traces }) => traces.map(({ traceId }) => traceId))).toEqual(expected)
    expect(pages.map(({ total }) => total)).toEqual([25n, 25n, 25n, 25n])

    const first = await listTraces(platform, name, { pageSize: 10 })
    const second = await listTraces(platform, name, {
      pageSize: 10,
      pageToken: first.nextPageToken,
    })
    const third = await listTraces(platform, name, {
      pageSize: 10,
      pageToken: second.nextPageToken,
    })
    expect([first, second, third].flatMap(({ traces }) => traces)).toEqual(
      pages.flatMap(({ traces }) => traces),
    )
    expect(third.nextPageToken).toBe('')
    const skipped = await listTraces(platform, name, {
      pageSize: 9,
      pageToken: first.nextPageToken,
      skip: 1,
    })
    expect(skipped.traces).toEqual(second.traces.slice(1))
  })

  test('keeps the range of the first one', async () => {
    const { name, token } = newAgent(platform)
    const old = rootSpan({ startMs: Date.now() - 3_600_000 })
    const young = rootSpan({ startMs: Date.now() - 1_800_000 })
    await sendSpans(platform.ingestUrl, token, [old, young])
    const first = await listTraces(platform, name, { pageSize: 1 })
    await sendSpans(platform.ingestUrl, token, [rootSpan({ startMs: Date.now() })])
    const range = { start: timestampFromMs(1000), end: timestampFromMs(2000) }
    const second = await listTraces(platform, name, {
      pageSize: 1,
      pageToken: first.nextPageToken,
      range,
    })
    expect([first, second].flatMap(({ traces }) => traces.map(({ traceId }) => traceId))).toEqual([
      young.traceId,
      old.traceId,
    ])
    expect([second.range, second.total]).toEqual([first.range, 2n])
  })

  test('is filtered by range, status, build and text', async () => {
    const { name, token } = newAgent(platform)
    const base = Date.now() - 3_600_000
    const old = rootSpan({
      startMs: base,
      isError: true,
      attributes: { 'input.value': 'Grüße aus KÖLN' },
    })
    const young = rootSpan({ startMs: base + 1000 })
    await sendSpans(platform.ingestUrl, token, [old, young])
    platform.neighbours.tokens.set(`${token}-next`, { ...OWNER, agent: name, buildId: 'build-2' })
    const next = rootSpan({ startMs: base + 2000 })
    await sendSpans(platform.ingestUrl, `${token}-next`, [next])

    const found = async (request: object) =>
      (await listTraces(platform, name, request)).traces.map(({ traceId }) => traceId)
    const range = (startMs: number, endMs: number) => ({
      range: { start: timestampFromMs(startMs), end: timestampFromMs(endMs) },
    })
    expect(await found({})).toEqual([next.traceId, young.traceId, old.traceId])
    expect(await found(range(base, base + 1000))).toEqual([old.traceId])
    expect(await found(range(base + 1, base + 1001))).toEqual([young.traceId])
    expect(await found({ status: TraceStatus.ERROR })).toEqual([old.traceId])
    expect(await found({ status: TraceStatus.OK })).toEqual([next.traceId, young.traceId])
    expect(await found({ buildId: 'build-2' })).toEqual([next.traceId])
    expect(await found({ query: 'köln' })).toEqual([old.traceId])
    expect(await found({ query: "' OR 1=1 --" })).toEqual([])
  })

  test.each([
    ['page_size', 'too large', { pageSize: 501 }],
    ['page_size', 'negative', { pageSize: -1 }],
    ['skip', 'too large', { skip: 100_001 }],
    ['page_token', 'not a token', { pageToken: 'next' }],
    ['query', 'too long', { query: 'x'.repeat(257) }],
    [
      'range.start',
      'not before the end',
      { range: { start: timestampFromMs(2000), end: timestampFromMs(2000) } },
    ],
  ])('rejects a %s that is %s', async (field, _, request) => {
    const error = readRemoteError(
      await listTraces(platform, 'any', request).catch((thrown: unknown) => thrown),
    )
    expect(error).toMatchObject({ code: Code.InvalidArgument, reason: 'invalid_argument' })
    expect(error.violations.map((violation) => violation.field)).toEqual([field])
  })

  test('of the largest traces fits into a response', async () => {
    const { name, token } = newAgent(platform)
    const attributes = { 'input.value': 'ü'.repeat(10_000), 'output.value': 'x'.repeat(20_000) }
    for (let request = 0; request < 2; request += 1) {
      await sendSpans(
        platform.ingestUrl,
        token,
        Array.from({ length: 250 }, () => rootSpan({ attributes })),
      )
    }
    const { traces } = await listTraces(platform, name, { pageSize: 500 })
    expect(traces).toHaveLength(500)
    const lengths = new Set(
      traces.flatMap(({ input, output }) => [Buffer.byteLength(input), output.length]),
    )
    expect([...lengths]).toEqual([12_582])
  })

  test('of an agent without traces is empty', async () => {
    expect(await listTraces(platform, 'without-traces')).toMatchObject({ traces: [], total: 0n })
  })
})

describe('a duplicate span', () => {
  test('counts once, with the values sent last', async () => {
    const { name, token } = newAgent(platform)
    const root = rootSpan()
    await sendSpans(platform.ingestUrl, token, [root])
    await sendSpans(platform.ingestUrl, token, [root, root])
    expect(await listTraces(platform, name)).toMatchObject({ total: 1n })
    await sendSpans(platform.ingestUrl, token, [
      { ...root, name: 'later', startMs: root.startMs - 5000 },
    ])
    expect(await listTraces(platform, name)).toMatchObject({
      total: 1n,
      traces: [{ name: 'later' }],
    })
  })
})

describe('access', () => {
  test('is limited to members of the account', async () => {
    const { name, token } = newAgent(platform)
    await sendSpans(platform.ingestUrl, token, [rootSpan()])
    const codeOf = async (promise: Promise<unknown>) =>
      readRemoteError(
        await promise.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ).code
    expect(await codeOf(listTraces(platform, name, {}, { subject: 'bob' }))).toBe(
      Code.PermissionDenied,
    )
    expect(await codeOf(listTraces(platform, name, {}, { account: 'unknown' }))).toBe(
      Code.PermissionDenied,
    )
    expect(await codeOf(platform.traces.listTraces({ account: 'acme', name }))).toBe(
      Code.Unauthenticated,
    )
    expect(
      await listTraces(platform, name, {}, { subject: 'bob', account: 'other' }),
    ).toMatchObject({ traces: [] })
  })

  test('ignores what a span claims about its owner', async () => {
    const { name, token } = newAgent(platform)
    const claims = { 'slipway.account': 'acc-2', 'service.name': 'other', 'deployment.id': 'dep-9' }
    await sendSpans(platform.ingestUrl, token, [rootSpan({ attributes: claims })])
    expect(await listTraces(platform, name)).toMatchObject({ total: 1n })
    expect(
      await listTraces(platform, name, {}, { subject: 'bob', account: 'other' }),
    ).toMatchObject({ total: 0n })
  })
})
