import { create } from '@bufbuild/protobuf'
import { TraceEntrySchema } from '@slipway/proto/slipway/observability/v1/trace'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { sendSpans } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

test('a list has only ids and times if the caller asks for no more', async () => {
  const { name, token } = newAgent(platform)
  const root = rootSpan({ attributes: { 'input.value': 'question' } })
  await sendSpans(platform.ingestUrl, token, [root, rootSpan({ isError: true })])
  const { traces, total } = await listTraces(platform, name, { onlyIds: true, pageSize: 1 })
  const [first] = (await listTraces(platform, name, { pageSize: 1 })).traces
  expect(total).toBe(2n)
  expect(traces).toEqual([
    create(TraceEntrySchema, {
      traceId: first?.traceId ?? '',
      ...(first?.startTime && { startTime: first.startTime }),
    }),
  ])
})
