import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { MetricsGrouping } from '@slipway/proto/slipway/observability/v1/trace'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { sendSpans } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform
const MINUTE_MS = 60_000
const firstMs = Math.floor(Date.now() / MINUTE_MS - 60) * MINUTE_MS
const nextMs = firstMs + MINUTE_MS

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

function call(model: string, startMs: number, cost: number) {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 1,
    'gen_ai.usage.cost': cost,
    'gen_ai.response.model': model,
  }
  return rootSpan({ startMs, attributes })
}

test('models have the calls, tokens and cost of each interval, if they are asked for', async () => {
  const { name, token } = newAgent(platform)
  await sendSpans(platform.ingestUrl, token, [
    call('a', firstMs, 0.25),
    call('a', firstMs + 1, 0.5),
    call('a', nextMs, 1),
    call('b', nextMs, 2),
  ])
  const getGroups = async (groupBuckets: boolean) => {
    const range = { start: timestampFromMs(firstMs), end: timestampFromMs(nextMs + MINUTE_MS) }
    const groupBy = MetricsGrouping.MODEL
    const request = { account: 'acme', name, range, intervalMinutes: 1, groupBy, groupBuckets }
    return (await platform.traces.getMetrics(request, await platform.as('alice'))).groups
  }
  const found = (await getGroups(true)).map((group) => [
    group.name,
    ...group.buckets.map(({ startTime, requestCount, inputTokens, outputTokens, costUsd }) => [
      startTime === undefined ? undefined : timestampMs(startTime),
      requestCount,
      inputTokens,
      outputTokens,
      costUsd,
    ]),
  ])
  expect(found).toEqual([
    ['a', [firstMs, 2n, 20n, 2n, 0.75], [nextMs, 1n, 10n, 1n, 1]],
    ['b', [nextMs, 1n, 10n, 1n, 2]],
  ])
  expect((await getGroups(false)).map(({ buckets }) => buckets)).toEqual([[], []])
})
