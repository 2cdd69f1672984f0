import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { expect, test } from 'vitest'

import { spansInProtobuf } from './otlp-protobuf.ts'

const request = create(ExportTraceServiceRequestSchema, {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'k', value: { value: { case: 'stringValue', value: 'v' } } }] },
      schemaUrl: 'x',
      scopeSpans: [{ scope: { name: 's' }, spans: [{ name: 'one' }, { name: 'two', flags: 3 }] }, { spans: [] }],
    },
    {},
    { scopeSpans: [{ spans: [{ name: 'three', spanId: Uint8Array.of(1) }] }] },
  ],
})

test('gives the same spans as decoding the whole', () => {
  const bytes = toBinary(ExportTraceServiceRequestSchema, request)
  const whole = fromBinary(ExportTraceServiceRequestSchema, bytes)
  expect([...spansInProtobuf(bytes)]).toEqual(
    whole.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
})

test.each([
  ['nothing at all', []],
  ['fields of later versions only', [0x98, 0x06, 0x01]],
])('finds no span in %s', (_, bytes) => {
  expect([...spansInProtobuf(Uint8Array.from(bytes))]).toEqual([])
})

test.each([
  ['a message that is cut off', [0x0a, 0x05, 0x12]],
  ['a number where a message should be', [0x08, 0x01]],
  ['noise', [0xff, 0xff]],
])('refuses %s', (_, bytes) => {
  expect(() => [...spansInProtobuf(Uint8Array.from(bytes))]).toThrow(/./)
})
