import { isDeepStrictEqual } from 'node:util'

import { create, toBinary, toJson, type MessageInitShape } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import type { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { expect, test } from 'vitest'

import { toAnyValue, type TestValue } from '../../../test/support/sent-span.ts'
import type { DecodedSpan } from './decoded-record.ts'
import { spansInJson } from './otlp-json.ts'
import { spansInProtobuf } from './otlp-protobuf.ts'

type TestSpan = MessageInitShape<typeof SpanSchema>

const attribute = (key: string, value: TestValue) => ({ key, value: toAnyValue(value) })
const attributes = (count: number, keyOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => attribute(keyOf(index), `value ${index}`))

function nested(depth: number): TestValue {
  return depth === 0 ? 'deep' : [nested(depth - 1)]
}

function only(found: Iterable<unknown>): DecodedSpan {
  const [span] = found
  return span as DecodedSpan
}

/** Sends a span in protobuf and in JSON, and returns what is decoded of both. */
function readBoth(span: TestSpan): readonly [DecodedSpan, DecodedSpan] {
  const request = create(ExportTraceServiceRequestSchema, {
    resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
  })
  const json = JSON.stringify(toJson(ExportTraceServiceRequestSchema, request))
  return [
    only(spansInProtobuf(toBinary(ExportTraceServiceRequestSchema, request))),
    only(spansInJson(Buffer.from(json), () => {})),
  ]
}

const tokens = attribute('gen_ai.usage.input_tokens', 5n)

test.each<[string, TestSpan, object]>([
  ['within the limits', { attributes: attributes(1_024, String) }, { attributes: 0, events: 0 }],
  [
    'with a long flat conversation',
    { attributes: [...attributes(3_000, (index) => `gen_ai.prompt.${index}.content`), tokens] },
    { attributes: 3_001 - 1_024, events: 0 },
  ],
  [
    'with a long list of messages',
    { attributes: [attribute('messages', Array(9_000).fill({ role: 'user' })), tokens] },
    { attributes: 0, events: 0 },
  ],
  [
    'with a large map',
    {
      attributes: [
        attribute('map', Object.fromEntries(attributes(9_000, String).map(({ key }) => [key, 1n]))),
        tokens,
      ],
    },
    { attributes: 1, events: 0 },
  ],
  [
    'with a short attribute that is nested too deeply',
    { attributes: [attribute('list', nested(40)), tokens] },
    { attributes: 1, events: 0 },
  ],
  [
    'with many events',
    {
      attributes: [tokens],
      events: Array(1_030).fill({ name: 'token', timeUnixNano: 1n }),
    },
    { attributes: 0, events: 6 },
  ],
  [
    'with many links, which are not read',
    { attributes: [tokens], links: Array(3_000).fill({}) },
    { attributes: 0, events: 0 },
  ],
])('trims a span %s to the same in protobuf and JSON', (_, span, removed) => {
  const [inProtobuf, inJson] = readBoth({ name: 'chat', ...span })
  expect(inProtobuf.removed).toEqual(removed)
  expect(isDeepStrictEqual(inJson, inProtobuf)).toBe(true)
})
