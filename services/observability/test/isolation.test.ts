import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  encodeRequest,
  newSpanId,
  newTraceId,
  post,
  sendSpans,
  toOtlpSpan,
} from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

/** Two agents of one account, and one of the same name in another account. */
const OWNERS = [
  { token: 'ours', account: 'acme', accountId: 'acc-1', agent: 'helper', user: 'alice' },
  { token: 'beside', account: 'acme', accountId: 'acc-1', agent: 'other', user: 'alice' },
  { token: 'theirs', account: 'rival', accountId: 'acc-2', agent: 'helper', user: 'bob' },
] as const

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform()
  for (const { token, account, accountId, agent, user } of OWNERS) {
    platform.neighbours.accounts.set(account, accountId)
    platform.neighbours.members.add(`${accountId}/${user}`)
    platform.neighbours.tokens.set(token, { accountId, agent, deploymentId: token, buildId: token })
  }
})
afterAll(() => platform?.[Symbol.asyncDispose]())

test('the same ids sent by different owners stay apart in every answer', async () => {
  const [traceId, root, child] = [newTraceId(), newSpanId(), newSpanId()]
  const startMs = Date.now() - 60_000
  for (const [index, { token }] of OWNERS.entries()) {
    const claims = {
      'slipway.account_id': 'acc-1',
      'slipway.agent': 'helper',
      'service.name': 'helper',
    }
    const attributes = {
      ...claims,
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 10 ** index,
    }
    await sendSpans(platform.ingestUrl, token, [
      { traceId, spanId: root, startMs, name: token, durationMs: index + 1, isError: index === 2 },
      { traceId, spanId: child, parentSpanId: root, startMs, attributes },
    ])
  }
  for (const [index, { token, account, agent, user }] of OWNERS.entries()) {
    const request = { account, name: agent }
    const options = await platform.as(user)
    const { traces, total } = await platform.traces.listTraces(request, options)
    expect([total, traces.map(({ name }) => name)]).toEqual([1n, [token]])
    expect(await platform.traces.getSummary(request, options)).toMatchObject({
      totalTraces: 1n,
      totalTokens: BigInt(10 ** index),
      avgLatencyMs: index + 1,
      errorRate: index === 2 ? 1 : 0,
    })
    const { buckets } = await platform.traces.getMetrics(request, options)
    expect(buckets.reduce((sum, { inputTokens }) => sum + inputTokens, 0n)).toBe(
      BigInt(10 ** index),
    )
    const trace = await platform.traces.getTrace({ ...request, traceId }, options)
    expect(trace.spans.map(({ buildId }) => buildId)).toEqual([token, token])
  }
})

test('names that look like SQL, paths or patterns find nothing of anybody', async () => {
  await sendSpans(platform.ingestUrl, 'ours', [
    { traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() - 1000 },
  ])
  const names = [
    "helper' OR '1'='1",
    'helper%',
    '%',
    '../helper',
    'helper\0',
    'HELPER',
    'helper ',
    "\\'; DROP TABLE spans",
  ]
  for (const name of names) {
    const answer = await platform.traces.listTraces(
      { account: 'acme', name },
      await platform.as('alice'),
    )
    expect([name, answer.total]).toEqual([name, 0n])
  }
})

test('whatever is sent is taken or refused, never an error of ours, and never anybody else’s', async () => {
  const good = Buffer.from(
    encodeRequest([
      toOtlpSpan({
        traceId: newTraceId(),
        spanId: newSpanId(),
        startMs: Date.now() - 1000,
        attributes: { a: 'b' },
      }),
    ]),
  )
  const damaged = fc
    .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    .map((changes) => {
      const body = Buffer.from(good)
      for (const [at, byte] of changes) body[at] = byte
      return new Uint8Array(body)
    })
  const protobuf = fc.oneof(
    damaged,
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  )
  const json = fc
    .json({ maxDepth: 6 })
    .map((text) => `{"resourceSpans":[{"scopeSpans":[{"spans":[${text}]}]}]}`)
  await fc.assert(
    fc.asyncProperty(protobuf, json, async (bytes, text) => {
      const answers = await Promise.all([
        post(platform.ingestUrl, 'theirs', bytes),
        post(platform.ingestUrl, 'theirs', text, { 'content-type': 'application/json' }),
      ])
      for (const answer of answers) {
        await answer.arrayBuffer()
        expect([200, 400]).toContain(answer.status)
      }
    }),
    { numRuns: 150 },
  )
})
