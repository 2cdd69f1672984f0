import { gzipSync } from 'node:zlib'

import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  encodeRequest,
  newSpanId,
  newTraceId,
  post,
  sendSpans,
  toOtlpSpan,
  type TestSpan,
} from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const OWNER = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
let platform: Platform
let agentNumber = 0

beforeAll(async () => {
  platform = await startPlatform()
  platform.neighbours.accounts.set('acme', 'acc-1').set('other', 'acc-2')
  platform.neighbours.members.add('acc-1/alice').add('acc-2/bob')
})
afterAll(() => platform?.[Symbol.asyncDispose]())

/** A deployed agent that no other test uses. */
function newAgent(changes: Partial<typeof OWNER> = {}): { name: string; token: string } {
  agentNumber += 1
  const name = changes.agent ?? `agent-${agentNumber}`
  const token = `token-${agentNumber}`
  platform.neighbours.tokens.set(token, { ...OWNER, agent: name, ...changes })
  return { name, token }
}

function rootSpan(changes: Partial<TestSpan> = {}): TestSpan {
  return {
    traceId: newTraceId(),
    spanId: newSpanId(),
    startMs: Date.now() - 60_000,
    name: 'answer',
    ...changes,
  }
}

async function list(
  name: string,
  request: object = {},
  { subject = 'alice', account = 'acme' } = {},
) {
  return await platform.traces.listTraces({ account, name, ...request }, await platform.as(subject))
}

describe('a trace', () => {
  test('comes back with what its spans tell', async () => {
    const { name, token } = newAgent()
    const root = rootSpan({
      durationMs: 12.5,
      attributes: { 'input.value': 'Hi?', 'output.value': 'Hello!' },
    })
    const call = { ...root, spanId: newSpanId(), parentSpanId: root.spanId, name: 'chat' }
    await sendSpans(platform.ingestUrl, token, [call, root])
    const { traces, total } = await list(name)
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

  test('takes its texts from its calls of a model when its root says nothing', async () => {
    const { name, token } = newAgent()
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
    const { traces } = await list(name)
    expect(traces).toMatchObject([{ input: 'first question', output: 'second answer' }])
  })

  test('arrives in JSON, gzipped, with ids in hexadecimal', async () => {
    const { name, token } = newAgent()
    const span = {
      traceId: newTraceId().toUpperCase(),
      spanId: newSpanId(),
      name: 'json',
      startTimeUnixNano: `${Date.now() - 1000}000000`,
      endTimeUnixNano: `${Date.now()}000000`,
      status: { code: 2, message: 'broken' },
      attributes: [{ key: 'input.value', value: { stringValue: 'q' } }],
      unknownField: 1,
    }
    const body = gzipSync(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const response = await post(platform.ingestUrl, token, new Uint8Array(body), headers)
    expect([response.status, await response.json()]).toEqual([200, {}])
    const { traces } = await list(name)
    expect(traces).toMatchObject([
      { traceId: span.traceId.toLowerCase(), name: 'json', status: TraceStatus.ERROR },
    ])
  })
})

describe('a page', () => {
  test('is newest first, ties by trace id, without gap or repeat', async () => {
    const { name, token } = newAgent()
    const base = Date.now() - 3_600_000
    const spans = Array.from({ length: 25 }, (_, index) =>
      rootSpan({ startMs: base + Math.floor(index / 5) * 1000 }),
    )
    await sendSpans(platform.ingestUrl, token, spans)
    const expected = spans
      .toSorted((a, b) => b.startMs - a.startMs || (a.traceId < b.traceId ? -1 : 1))
      .map(({ traceId }) => traceId)
    const pages = await Promise.all(
      [0, 10, 20, 30].map((skip) => list(name, { pageSize: 10, skip })),
    )
    expect(pages.flatMap(({ traces }) => traces.map(({ traceId }) => traceId))).toEqual(expected)
    expect(pages.map(({ total }) => total)).toEqual([25n, 25n, 25n, 25n])

    const first = await list(name, { pageSize: 10 })
    const second = await list(name, { pageSize: 10, pageToken: first.nextPageToken })
    const third = await list(name, { pageSize: 10, pageToken: second.nextPageToken })
    expect([first, second, third].flatMap(({ traces }) => traces)).toEqual(
      pages.flatMap(({ traces }) => traces),
    )
    expect(third.nextPageToken).toBe('')
    const skipped = await list(name, { pageSize: 9, pageToken: first.nextPageToken, skip: 1 })
    expect(skipped.traces).toEqual(second.traces.slice(1))
  })

  test('keeps the range of the first one', async () => {
    const { name, token } = newAgent()
    const old = rootSpan({ startMs: Date.now() - 3_600_000 })
    const young = rootSpan({ startMs: Date.now() - 1_800_000 })
    await sendSpans(platform.ingestUrl, token, [old, young])
    const first = await list(name, { pageSize: 1 })
    await sendSpans(platform.ingestUrl, token, [rootSpan({ startMs: Date.now() })])
    const range = { start: timestampFromMs(1000), end: timestampFromMs(2000) }
    const second = await list(name, { pageSize: 1, pageToken: first.nextPageToken, range })
    expect([first, second].flatMap(({ traces }) => traces.map(({ traceId }) => traceId))).toEqual([
      young.traceId,
      old.traceId,
    ])
    expect([second.range, second.total]).toEqual([first.range, 2n])
  })

  test('keeps to its range, status, build and text', async () => {
    const { name, token } = newAgent()
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
      (await list(name, request)).traces.map(({ traceId }) => traceId)
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
  ])('refuses a %s that is %s', async (field, _, request) => {
    const error = readRemoteError(await list('any', request).catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ code: Code.InvalidArgument, reason: 'invalid_argument' })
    expect(error.violations.map((violation) => violation.field)).toEqual([field])
  })

  test('of the largest traces still fits into an answer', async () => {
    const { name, token } = newAgent()
    const attributes = { 'input.value': 'ü'.repeat(10_000), 'output.value': 'x'.repeat(20_000) }
    for (let request = 0; request < 2; request += 1) {
      await sendSpans(
        platform.ingestUrl,
        token,
        Array.from({ length: 250 }, () => rootSpan({ attributes })),
      )
    }
    const { traces } = await list(name, { pageSize: 500 })
    expect(traces).toHaveLength(500)
    const lengths = new Set(
      traces.flatMap(({ input, output }) => [Buffer.byteLength(input), output.length]),
    )
    expect([...lengths]).toEqual([12_582])
  })

  test('of an agent without traces is empty', async () => {
    expect(await list('nobody')).toMatchObject({ traces: [], total: 0n })
  })
})

describe('a duplicate', () => {
  test('counts once, whatever it says', async () => {
    const { name, token } = newAgent()
    const root = rootSpan()
    await sendSpans(platform.ingestUrl, token, [root])
    await sendSpans(platform.ingestUrl, token, [root, root])
    expect(await list(name)).toMatchObject({ total: 1n })
    await sendSpans(platform.ingestUrl, token, [
      { ...root, name: 'later', startMs: root.startMs - 5000 },
    ])
    expect(await list(name)).toMatchObject({ total: 1n, traces: [{ name: 'later' }] })
  })
})

describe('who may see', () => {
  test('a member of the account, nobody else', async () => {
    const { name, token } = newAgent()
    await sendSpans(platform.ingestUrl, token, [rootSpan()])
    const codeOf = async (promise: Promise<unknown>) =>
      readRemoteError(
        await promise.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ).code
    expect(await codeOf(list(name, {}, { subject: 'bob' }))).toBe(Code.PermissionDenied)
    expect(await codeOf(list(name, {}, { account: 'unknown' }))).toBe(Code.PermissionDenied)
    expect(await codeOf(platform.traces.listTraces({ account: 'acme', name }))).toBe(
      Code.Unauthenticated,
    )
    expect(await list(name, {}, { subject: 'bob', account: 'other' })).toMatchObject({ traces: [] })
  })

  test('what a span claims about its owner changes nothing', async () => {
    const { name, token } = newAgent()
    const claims = { 'slipway.account': 'acc-2', 'service.name': 'other', 'deployment.id': 'dep-9' }
    await sendSpans(platform.ingestUrl, token, [rootSpan({ attributes: claims })])
    expect(await list(name)).toMatchObject({ total: 1n })
    expect(await list(name, {}, { subject: 'bob', account: 'other' })).toMatchObject({ total: 0n })
  })
})

describe('the ingest refuses', () => {
  const good = () => encodeRequest([toOtlpSpan(rootSpan())])

  test.each([
    ['no token', { authorization: '' }],
    ['an unknown token', { authorization: 'Bearer nobody' }],
    ['basic credentials', { authorization: 'Basic dG9rZW46' }],
  ])('%s', async (_, headers) => {
    const response = await post(platform.ingestUrl, '', good(), headers)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test.each([
    ['what is no protobuf', new Uint8Array([255, 255]), {}, 400],
    ['what is no JSON', '{', { 'content-type': 'application/json' }, 400],
    ['another type', 'x', { 'content-type': 'text/plain' }, 415],
    ['another encoding', 'x', { 'content-encoding': 'br' }, 415],
    ['broken gzip', 'x', { 'content-encoding': 'gzip' }, 400],
    [
      'too much once unpacked',
      new Uint8Array(gzipSync(Buffer.alloc(65 << 20))),
      { 'content-encoding': 'gzip' },
      413,
    ],
    ['too much', new Uint8Array((16 << 20) + 1), {}, 413],
  ])('%s', async (_, body, headers, status) => {
    const { token } = newAgent()
    const response = await post(platform.ingestUrl, token, body, headers)
    expect(response.status).toBe(status)
  })

  test('nothing when nothing is sent', async () => {
    const { token } = newAgent()
    expect((await post(platform.ingestUrl, token, new Uint8Array())).status).toBe(200)
  })

  test('bad spans, and says how many and why, while it keeps the others', async () => {
    const { name, token } = newAgent()
    const now = Date.now()
    const answer = await sendSpans(platform.ingestUrl, token, [
      rootSpan(),
      rootSpan({ traceId: '00'.repeat(16) }),
      rootSpan({ traceId: 'ab' }),
      rootSpan({ spanId: '' }),
      rootSpan({ startMs: 0 }),
      rootSpan({ startMs: now - 31 * 86_400_000 }),
      rootSpan({ startMs: now + 2 * 86_400_000 }),
      rootSpan({ durationMs: -1 }),
      rootSpan({ durationMs: 3 * 86_400_000 }),
    ])
    expect(answer.partialSuccess?.rejectedSpans).toBe(8n)
    expect(answer.partialSuccess?.errorMessage).toContain(
      '2 × the span is older than the retention',
    )
    expect(await list(name)).toMatchObject({ total: 1n })
  })
})
