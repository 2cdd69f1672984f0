import { expect, test } from 'vitest'

import { encodeRequest, newSpanId, newTraceId, post, sendSpans, toOtlpSpan } from './otlp.ts'
import { startPlatform } from './platform.ts'

test('what is more than can be held is told to come later, and the rest goes on', async () => {
  await using platform = await startPlatform({ OTLP_MAX_PENDING_BYTES: '20000' })
  platform.neighbours.tokens.set('token', { accountId: 'acc-1', agent: 'helper', deploymentId: 'd', buildId: 'b' })
  const span = () => ({ traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() - 1000 })
  const large = encodeRequest(Array.from({ length: 1000 }, () => toOtlpSpan(span())))
  const response = await post(platform.ingestUrl, 'token', large)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
  await sendSpans(platform.ingestUrl, 'token', [span()])
})
