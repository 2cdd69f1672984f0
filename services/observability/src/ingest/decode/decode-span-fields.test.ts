import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { expect, test } from 'vitest'

import { decodeSpanFields } from './decode-span-fields.ts'

const scalars = [
  { case: 'stringValue', value: 'Grüße, 世界 🚀' },
  { case: 'boolValue', value: true },
  { case: 'boolValue', value: false },
  { case: 'intValue', value: -(2n ** 63n) },
  { case: 'intValue', value: 2n ** 63n - 1n },
  { case: 'doubleValue', value: -1.5e-300 },
  { case: 'bytesValue', value: Uint8Array.of(0, 255) },
  { case: undefined },
] as const
const pairs = scalars.map((value, index) => ({ key: `key ${index}`, value: { value } }))
const nested = {
  key: 'nested',
  value: {
    value: {
      case: 'kvlistValue' as const,
      value: {
        values: [
          ...pairs,
          {
            key: 'list',
            value: {
              value: {
                case: 'arrayValue' as const,
                value: { values: scalars.map((value) => ({ value })) },
              },
            },
          },
        ],
      },
    },
  },
}

test.each<[string, MessageInitShape<typeof SpanSchema>]>([
  ['an empty span', {}],
  [
    'all fields that are stored',
    {
      traceId: Uint8Array.from({ length: 16 }, (_, index) => index),
      spanId: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      parentSpanId: Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1),
      flags: 2 ** 32 - 1,
      name: 'n'.repeat(1000),
      kind: 5,
      startTimeUnixNano: 2n ** 64n - 1n,
      endTimeUnixNano: 1n,
      attributes: [...pairs, nested, { key: 'without a value' }, {}],
      events: [{ timeUnixNano: 7n, name: 'exception', attributes: [...pairs, nested] }, {}],
      status: { code: 2, message: 'failed' },
    },
  ],
])('decodes %s as the library does', (_, init) => {
  const bytes = toBinary(SpanSchema, create(SpanSchema, init))
  expect(decodeSpanFields(bytes)).toEqual(fromBinary(SpanSchema, bytes))
})

test('skips fields that are unknown, not stored, or of another type', () => {
  const span = new BinaryWriter()
  span.tag(3, WireType.LengthDelimited).string('trace state')
  span.tag(10, WireType.Varint).uint32(3)
  span.tag(13, WireType.LengthDelimited).bytes(Uint8Array.of(10, 1, 1))
  span.tag(1000, WireType.Bit64).fixed64(1n)
  span.tag(5, WireType.Varint).uint32(5)
  span.tag(5, WireType.LengthDelimited).string('name')
  span.tag(9, WireType.Bit32).fixed32(1)
  expect(decodeSpanFields(span.finish())).toEqual(create(SpanSchema, { name: 'name' }))
})

test.each([
  ['the length of a message', [0x4a, 0x05, 0x0a]],
  ['a text', [0x2a, 0x05, 0x41]],
  ['a time', [0x39, 0x01]],
  ['a number without an end', [0x30, 0xff]],
  ['an unknown field', [0x7a, 0x7f]],
  ['a wire type that does not exist', [0x0f]],
])('rejects a span whose end is missing after %s', (_, bytes) => {
  expect(() => decodeSpanFields(Uint8Array.from(bytes))).toThrow(/./)
})

test('leaves out a value that is nested without an end', () => {
  let value: Uint8Array = Uint8Array.of()
  for (let depth = 0; depth < 10_000; depth += 1) {
    const list = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value).finish()
    value = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(list).finish()
  }
  const pair = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(value).finish()
  const span = new BinaryWriter().tag(9, WireType.LengthDelimited).bytes(pair).finish()
  expect(decodeSpanFields(span).attributes).toHaveLength(1)
})
