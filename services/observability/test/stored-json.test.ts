import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { sendSpans } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

/** Text with what has a meaning in JSON, in rows of the store, or in UTF-8. */
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', "'", '\n', '\t', '\0', 'null', 'é'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  ),
  maxLength: 20,
})
const attributes = fc.dictionary(
  texts.filter((key) => key !== ''),
  fc.oneof(texts, fc.integer()),
  { maxKeys: 10, noNullPrototype: true },
)

test('any attributes are stored as they are, and lose no other span', async () => {
  const { name, token } = newAgent(platform)
  const samples = fc.sample(attributes, 200)
  const root = rootSpan()
  const spans = samples.map((own, index) => ({
    ...rootSpan({ traceId: root.traceId, parentSpanId: root.spanId, attributes: own }),
    startMs: root.startMs + index,
  }))
  await sendSpans(platform.ingestUrl, token, [root, ...spans])
  const read = await platform.traces.getTrace(
    { account: 'acme', name, traceId: root.traceId },
    await platform.as('alice'),
  )
  const shown = new Map(read.spans.map((span) => [span.spanId, span.attributes]))
  for (const [index, { spanId }] of spans.entries())
    expect(shown.get(spanId)).toEqual(JSON.parse(JSON.stringify(samples[index])))
})
