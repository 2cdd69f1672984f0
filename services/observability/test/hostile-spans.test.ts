import { gzipSync } from 'node:zlib'

import { MetricsGrouping } from '@slipway/proto/slipway/observability/v1/trace'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, startWithAccounts } from './support/agents.ts'
import { newSpanId, newTraceId, post } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

/** A span in OTLP's JSON, a minute old. */
function jsonSpan(changes: Readonly<Record<string, unknown>> = {}) {
  const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
  return {
    traceId: newTraceId(),
    spanId: newSpanId(),
    name: 'answer',
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + 1_000_000n),
    ...changes,
  }
}

const attribute = (key: string, value: unknown) => ({ key, value })
const requestOf = (spans: readonly unknown[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

/** Sends spans between two good ones, which must be stored. Returns what is shown of the others. */
async function sendBetween(spans: readonly unknown[], encode = requestOf) {
  const { name, token } = newAgent(platform)
  const good = [jsonSpan({ name: 'first' }), jsonSpan({ name: 'last' })]
  const body = gzipSync(encode([good[0], ...spans, good[1]]))
  const headers = { ...JSON_HEADERS, 'content-encoding': 'gzip' }
  const response = await post(platform.ingestUrl, token, new Uint8Array(body), headers)
  const answer = (await response.json()) as { partialSuccess?: { rejectedSpans: string } }
  expect([response.status, answer]).toEqual([200, answer])
  const { traces } = await listTraces(platform, name, { pageSize: 500 })
  const goodIds = good.map(({ traceId }) => traceId)
  expect(traces.map(({ traceId }) => traceId)).toEqual(expect.arrayContaining(goodIds))
  const options = await platform.as('alice')
  await Promise.all(
    traces.map(({ traceId }) =>
      platform.traces.getTrace({ account: 'acme', name, traceId }, options),
    ),
  )
  return {
    name,
    rejected: Number(answer.partialSuccess?.rejectedSpans ?? 0),
    traces: traces.filter(({ traceId }) => !goodIds.includes(traceId)),
  }
}

const KEYS = [
  'gen_ai.operation.name',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.cost',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.response.id',
  'gen_ai.request.model',
  'gen_ai.tool.name',
  'session.id',
  'user.id',
  'input.value',
  'openinference.span.kind',
  'llm.input_messages.0.message.content',
  'llm.token_count.prompt',
]
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.record({ stringValue: fc.string({ unit: 'binary' }) }),
    fc.record({ intValue: fc.constantFrom('-1', '9223372036854775807', '-9223372036854775808') }),
    fc.record({ intValue: fc.constantFrom('9223372036854775808', 'seven', 1.5, null) }),
    fc.record({ doubleValue: fc.constantFrom('NaN', 'Infinity', '-Infinity', -0.5, 1e308) }),
    fc.record({ bytesValue: fc.constantFrom('AP8=', '!') }),
    fc.record({ boolValue: fc.constantFrom(true, 'yes') }),
    fc.record({
      arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }),
    }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(
          fc.record({ key: fc.constantFrom('role', 'content'), value: tie('value') }),
          {
            maxLength: 3,
          },
        ),
      }),
    }),
    fc.jsonValue({ maxDepth: 3 }),
  ),
})).value
const field = fc.constantFrom(
  'traceId',
  'spanId',
  'parentSpanId',
  'name',
  'kind',
  'flags',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'status',
  'events',
  'links',
  'attributes',
)

test('spans with wrong types lose nothing of others, and can be read', async () => {
  const attributes = fc.array(fc.tuple(fc.constantFrom(...KEYS), anyValue), { maxLength: 8 })
  const wrong = fc.oneof(
    attributes.map((drawn) =>
      jsonSpan({ attributes: drawn.map(([key, value]) => attribute(key, value)) }),
    ),
    fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })).map((changes) => jsonSpan(changes)),
    fc.jsonValue({ maxDepth: 4 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(wrong, { minLength: 1, maxLength: 8 }), async (spans) => {
      const { rejected, traces } = await sendBetween(spans)
      expect(rejected + traces.length).toBeLessThanOrEqual(spans.length)
    }),
    { numRuns: rounds(6) },
  )
})

test.each([
  ['1970', '0', '1'],
  ['2200', '7258118400000000000', '7258118400000000001'],
  ['the end of uint64', '18446744073709551615', '18446744073709551615'],
  ['before 1970', '-1', '1'],
  ['no number', 'soon', 'later'],
])('a span of %s is rejected alone', async (_, start, end) => {
  const span = jsonSpan({ startTimeUnixNano: start, endTimeUnixNano: end })
  expect(await sendBetween([span])).toMatchObject({ rejected: 1, traces: [] })
})

test('ten thousand levels and megabytes in attributes are bounded', async () => {
  const depth = 10_000
  const [open, close] = ['{"arrayValue":{"values":[', ']}}']
  const deepValue = `${open.repeat(depth)}{"intValue":"1"}${close.repeat(depth)}`
  const deepText = '['.repeat(depth) + ']'.repeat(depth)
  const texts = ['x'.repeat(2 ** 20), `[{"role":"user","content":${deepText}}]`]
  const spans = texts.map((stringValue) =>
    jsonSpan({
      attributes: [
        attribute('gen_ai.operation.name', { stringValue: 'chat' }),
        attribute('gen_ai.input.messages', { stringValue }),
        attribute('gen_ai.usage.input_tokens', { intValue: '7' }),
      ],
    }),
  )
  const nested = jsonSpan({ attributes: [attribute('gen_ai.input.messages', 'DEEP')] })
  const { rejected, traces } = await sendBetween([...spans, nested], (all) =>
    requestOf(all).replace('"DEEP"', deepValue),
  )
  expect(rejected + traces.length).toBe(3)
  expect(traces.filter(({ inputTokens }) => inputTokens === 7n)).toHaveLength(2)
  for (const { input } of traces) expect(Buffer.byteLength(input)).toBeLessThanOrEqual(16 * 1024)
})

test('text that is not UTF-8 is replaced', async () => {
  const span = jsonSpan({ name: 'BROKEN' })
  const { name, token } = newAgent(platform)
  const body = Buffer.from(requestOf([span, jsonSpan()]).replace('BROKEN', 'a\u0001b'), 'latin1')
  body[body.indexOf(1)] = 0xff
  const response = await post(platform.ingestUrl, token, new Uint8Array(body), JSON_HEADERS)
  expect([response.status, await response.json()]).toEqual([200, {}])
  const { traces } = await listTraces(platform, name)
  expect(traces.map((trace) => trace.name).toSorted()).toEqual(['answer', 'a\ufffdb'].toSorted())
})

test('the last of spans with the same id counts, whatever they say', async () => {
  const { traceId, spanId } = jsonSpan()
  const parents = ['', newSpanId(), spanId, newSpanId()]
  const copies = parents.map((parentSpanId, index) =>
    jsonSpan({
      traceId,
      spanId,
      parentSpanId,
      name: `copy ${index}`,
      attributes: [
        attribute('gen_ai.operation.name', { stringValue: index % 2 === 0 ? 'chat' : 'none' }),
        attribute('gen_ai.usage.input_tokens', { intValue: String(index) }),
      ],
    }),
  )
  const { traces, name } = await sendBetween([...copies, jsonSpan({ ...copies[0], name: 'final' })])
  expect(traces).toMatchObject([{ name: 'final', spanCount: 1 }])
  expect((await listTraces(platform, name)).total).toBe(3n)
})

test('thousands of names, models, tools and sessions stay readable', async () => {
  const { name, token } = newAgent(platform)
  const count = 5_000
  const spans = Array.from({ length: count }, (_, index) =>
    jsonSpan({
      name: `name ${index}`,
      attributes: [
        ['gen_ai.operation.name', index % 2 === 0 ? 'chat' : 'execute_tool'],
        ['gen_ai.response.model', `model ${index} ${'m'.repeat(1_000)}`],
        ['gen_ai.tool.name', `tool ${index} ${'t'.repeat(1_000)}`],
        ['gen_ai.provider.name', `provider ${index}`],
        ['session.id', `session ${index}`],
        ['user.id', `user ${index}`],
      ].map(([key = '', stringValue]) => attribute(key, { stringValue })),
    }),
  )
  for (let first = 0; first < count; first += 1_000) {
    const part = requestOf(spans.slice(first, first + 1_000))
    const response = await post(platform.ingestUrl, token, part, JSON_HEADERS)
    expect([response.status, await response.json()]).toEqual([200, {}])
  }
  const options = await platform.as('alice')
  const request = { account: 'acme', name }
  const [listed, sessions, metrics] = await Promise.all([
    listTraces(platform, name, { pageSize: 500 }),
    platform.traces.listSessions({ ...request, pageSize: 500 }, options),
    platform.traces.getMetrics({ ...request, groupBy: MetricsGrouping.MODEL }, options),
  ])
  expect([listed.total, sessions.total]).toEqual([BigInt(count), BigInt(count)])
  expect(metrics.groups.length).toBeLessThan(100)
  const calls = metrics.groups.reduce((sum, group) => sum + group.requestCount, 0n)
  expect(calls).toBe(BigInt(count / 2))
})
