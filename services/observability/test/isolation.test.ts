import { afterAll, beforeAll, expect, test } from 'vitest'

import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

/** Two agents of one account, and an agent with the same name as the first in another account. */
const OWNERS = [
  { token: 'first', account: 'acme', accountId: 'acc-1', agent: 'helper', user: 'alice' },
  { token: 'second', account: 'acme', accountId: 'acc-1', agent: 'other', user: 'alice' },
  { token: 'third', account: 'rival', accountId: 'acc-2', agent: 'helper', user: 'bob' },
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

test('keeps the same ids of different owners apart in every response', async () => {
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

test('finds nothing for names that look like SQL, paths or patterns', async () => {
  await sendSpans(platform.ingestUrl, 'first', [
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
