import { gzipSync } from 'node:zlib'

import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { newSpanId, newTraceId, post, sendSpans } from './support/otlp.ts'
import { answer, encodeLogs, question, sendLogs, urlOf } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

const url = () => urlOf('logs', platform.ingestUrl)
const inJson = (...logRecords: readonly unknown[]) =>
  JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })

/** Starts an agent with a span, whose answer is in a log record. */
async function answeredAgent() {
  const { name, token } = newAgent(platform)
  const span = rootSpan()
  await sendSpans(platform.ingestUrl, token, [span])
  await sendLogs(platform.ingestUrl, token, [answer('So.', span)])
  return {
    token,
    span,
    shown: async () => (await listTraces(platform, name)).traces.map(({ output }) => output),
  }
}

test('random bodies get a 200 or 400, and what is stored stays', async () => {
  const { token, span, shown } = await answeredAgent()
  const good = Buffer.from(encodeLogs([question('Why?', span)]))
  const damaged = fc
    .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    .map((changes) => {
      const body = new Uint8Array(good)
      for (const [at, byte] of changes) body[at] = byte
      return body
    })
  const garbage = fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes))
  const member = fc.constantFrom(
    'eventName',
    'body',
    'attributes',
    'traceId',
    'spanId',
    'timeUnixNano',
    'observedTimeUnixNano',
  )
  const json = fc
    .tuple(fc.dictionary(member, fc.jsonValue({ maxDepth: 6 })), fc.boolean())
    .map(([changes, isContent]) => ({
      ...(isContent ? { ...span, eventName: 'gen_ai.choice' } : {}),
      ...changes,
    }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, garbage), json, async (bytes, record) => {
      const answers = await Promise.all([
        post(url(), token, bytes),
        post(url(), token, inJson(record), JSON_HEADERS),
        post(url(), token, JSON.stringify(record), JSON_HEADERS),
      ])
      for (const response of answers) {
        await response.arrayBuffer()
        expect([200, 400]).toContain(response.status)
      }
    }),
    { numRuns: rounds(50) },
  )
  await sendLogs(platform.ingestUrl, token, [
    { ...answer('Still.', span), timeMs: Date.now() + 1e6 },
  ])
  expect(await shown()).toEqual(['Still.'])
})

test('megabytes and deep nesting in one record are bounded, and lose no other record', async () => {
  const { token, span, shown } = await answeredAgent()
  const choice = { ...span, eventName: 'gen_ai.choice' }
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const long = { stringValue: 'x'.repeat(1 << 20) }
  const bodies = [
    { stringValue: `{"message":{"content":${nested(50_000)}}}` },
    long,
    { stringValue: JSON.stringify({ message: { content: 'y'.repeat(1 << 20) } }) },
    { arrayValue: { values: Array.from({ length: 20_000 }, () => ({ intValue: 1 })) } },
  ]
  for (const body of bodies) {
    const last = { stringValue: '{"message":{"content":"Last."}}' }
    const timeUnixNano = `${Date.now() + 60_000}000000`
    const request = inJson(
      { ...choice, body, attributes: [{ key: 'a', value: body }] },
      { ...choice, body: last, timeUnixNano },
    )
    const sent = gzipSync(request)
    const headers = { ...JSON_HEADERS, 'content-encoding': 'gzip' }
    const response = await post(url(), token, new Uint8Array(sent), headers)
    expect([response.status, await response.json()]).toEqual([200, {}])
  }
  expect(await shown()).toEqual(['Last.'])
})

test('records of spans that never arrive cost nothing but their room', async () => {
  const { token, shown } = await answeredAgent()
  const strays = Array.from({ length: 10_000 }, () =>
    answer('stray', { traceId: newTraceId(), spanId: newSpanId() }),
  )
  expect((await sendLogs(platform.ingestUrl, token, strays)).partialSuccess).toBeUndefined()
  expect(await shown()).toEqual(['So.'])
})

test('a request with too many records gets a 413, with the limit', async () => {
  const { token } = newAgent(platform)
  const records = Array.from({ length: 20_001 }, () => ({}))
  const response = await post(url(), token, inJson(...records), JSON_HEADERS)
  expect([response.status, await response.json()]).toEqual([
    413,
    { code: 3, message: 'the request has more than 20000 spans or log records; send it in parts' },
  ])
})

test('records with more JSON values than a response can hold are cut off', async () => {
  const { name, token } = newAgent(platform)
  const span = rootSpan()
  await sendSpans(platform.ingestUrl, token, [span])
  const { traceId, spanId } = span
  const value = { arrayValue: { values: Array(4_000).fill({ intValue: '1' }) } }
  for (let count = 0; count < 20; count += 1) {
    const timeUnixNano = String(BigInt(Date.now() - 1_000 + count) * 1_000_000n)
    const record = { traceId, spanId, timeUnixNano, eventName: 'gen_ai.choice' }
    const body = inJson({ ...record, attributes: [{ key: 'values', value }] })
    expect((await post(url(), token, body, JSON_HEADERS)).status).toBe(200)
  }
  const { spans, isTruncated } = await platform.traces.getTrace(
    { account: 'acme', name, traceId },
    await platform.as('alice'),
  )
  expect([spans[0]?.events.length, isTruncated]).toEqual([12, true])
})

test('shows the last of 100,000 log records of a span, and those of others', async () => {
  const { name, token } = newAgent(platform)
  const [busy, quiet] = [rootSpan(), rootSpan({ startMs: Date.now() - 30_000 })]
  await sendSpans(platform.ingestUrl, token, [busy, quiet])
  const now = Date.now()
  for (let part = 0; part < 10; part += 1) {
    const records = Array.from({ length: 10_000 }, (_, index) => ({
      ...answer(`answer ${part * 10_000 + index}`, busy),
      timeMs: now - 200_000 + part * 10_000 + index,
    }))
    await sendLogs(platform.ingestUrl, token, [...records, answer(`quiet ${part}`, quiet)])
  }
  const { traces } = await listTraces(platform, name)
  expect(traces.map(({ output }) => output)).toEqual(['quiet 9', 'answer 99999'])
  const { spans } = await platform.traces.getTrace(
    { account: 'acme', name, traceId: busy.traceId },
    await platform.as('alice'),
  )
  expect(spans[0]?.events).toHaveLength(32)
})
