import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import {
  AnyValueSchema,
  type KeyValueSchema,
} from '@slipway/proto/opentelemetry/proto/common/v1/common'
import { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { spansInJson } from './decode/otlp-json.ts'
import { spansInProtobuf } from './decode/otlp-protobuf.ts'
import type { DecodedSpan } from './decode/decoded-record.ts'
import type { SentRecord } from './pipeline/signal.ts'

/** A value of an attribute; one that is bad has a number. */
type Value =
  | { readonly text: string }
  | { readonly int: bigint }
  | { readonly list: readonly Value[] }
  | { readonly map: readonly Pair[] }
  | { readonly bad: number }
type Pair = readonly [key: string, value: Value]

interface TestSpan {
  readonly name: string
  readonly attributes: readonly Pair[]
  readonly events: readonly (readonly Pair[])[]
}

const { value: values } = fc.letrec<{ value: Value; pair: Pair }>((tie) => ({
  pair: fc.tuple(fc.string({ unit: 'grapheme', maxLength: 9 }), tie('value')),
  value: fc.oneof(
    { maxDepth: 5 },
    fc.record({ text: fc.string({ unit: 'grapheme' }) }),
    fc.record({ int: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) }),
    fc.record({ bad: fc.nat() }),
    fc.record({ list: fc.array(tie('value'), { maxLength: 4 }) }),
    fc.record({ map: fc.array(tie('pair'), { maxLength: 4 }) }),
  ),
}))
const pairs = fc.array(fc.tuple(fc.string({ maxLength: 9 }), values), { maxLength: 5 })
const spans: fc.Arbitrary<TestSpan> = fc.record({
  name: fc.string({ unit: 'grapheme' }),
  attributes: pairs,
  events: fc.array(pairs, { maxLength: 3 }),
})

/** What the decoded value is: that of a bad one is missing in a pair, and empty in a list. */
function expectedValue(value: Value): MessageInitShape<typeof AnyValueSchema> | undefined {
  if ('text' in value) return { value: { case: 'stringValue', value: value.text } }
  if ('int' in value) return { value: { case: 'intValue', value: value.int } }
  if ('map' in value)
    return { value: { case: 'kvlistValue', value: { values: value.map.map(expectedPair) } } }
  if ('bad' in value) return undefined
  const elements = value.list.map((each) => expectedValue(each) ?? {})
  return { value: { case: 'arrayValue', value: { values: elements } } }
}

function expectedPair([key, value]: Pair): MessageInitShape<typeof KeyValueSchema> {
  const sent = expectedValue(value)
  return sent === undefined ? { key } : { key, value: sent }
}

function expectedSpan({ name, attributes, events }: TestSpan) {
  const span = create(SpanSchema, {
    name,
    attributes: attributes.map(expectedPair),
    events: events.map((each) => ({ attributes: each.map(expectedPair) })),
  })
  return fromBinary(SpanSchema, toBinary(SpanSchema, span))
}

const BAD_JSON: readonly unknown[] = [
  null,
  7,
  'text',
  [],
  { intValue: 'x' },
  { intValue: '9223372036854775808' },
  { stringValue: 5 },
  { arrayValue: 7 },
  { kvlistValue: 'x' },
  { boolValue: 'yes' },
  { bytesValue: 3 },
  { doubleValue: 'many' },
]

function jsonValue(value: Value): unknown {
  if ('text' in value) return { stringValue: value.text }
  if ('int' in value) return { intValue: String(value.int) }
  if ('map' in value) return { kvlistValue: { values: value.map.map(jsonPair) } }
  if ('bad' in value) return BAD_JSON[value.bad % BAD_JSON.length]
  return { arrayValue: { values: value.list.map(jsonValue) } }
}

function jsonPair([key, value]: Pair) {
  return { key, value: jsonValue(value) }
}

/** A truncated text, a group, a number without an end, a wrong list, a field without a number. */
const BAD_PROTOBUF = ['0a0541', '0b', '18ff', '2a050a', '00', '0f', '2100']

function encodedValue(value: Value): Uint8Array {
  if ('bad' in value) return Buffer.from(BAD_PROTOBUF[value.bad % BAD_PROTOBUF.length] ?? '', 'hex')
  if ('map' in value) return message([6, message(...value.map.map(asField(1, encodedPair)))])
  if ('list' in value) return message([5, message(...value.list.map(asField(1, encodedValue)))])
  return toBinary(AnyValueSchema, create(AnyValueSchema, expectedValue(value)))
}

function encodedPair([key, value]: Pair): Uint8Array {
  return message([1, Buffer.from(key)], [2, encodedValue(value)])
}

function encodedSpan({ name, attributes, events }: TestSpan): Uint8Array {
  const encodedEvents = events.map((each) => message(...each.map(asField(3, encodedPair))))
  return message(
    [5, Buffer.from(name)],
    ...attributes.map(asField(9, encodedPair)),
    ...encodedEvents.map((event): Field => [11, event]),
  )
}

type Field = readonly [number: number, bytes: Uint8Array]

function asField<Part>(number: number, encode: (part: Part) => Uint8Array) {
  return (part: Part): Field => [number, encode(part)]
}

function message(...fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, bytes] of fields) writer.tag(number, WireType.LengthDelimited).bytes(bytes)
  return writer.finish()
}

function only(found: Iterable<SentRecord<DecodedSpan>>) {
  const [first] = found
  if (typeof first !== 'object' || !('span' in first)) throw new Error('it is not read')
  return first
}

test('a bad value at any depth costs only itself in JSON', () => {
  fc.assert(
    fc.property(spans, (span) => {
      const json = {
        name: span.name,
        attributes: span.attributes.map(jsonPair),
        events: span.events.map((each) => ({ attributes: each.map(jsonPair) })),
      }
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [json] }] }] })
      const decoded = only(spansInJson(Buffer.from(body), () => {}))
      expect(decoded.span).toEqual(expectedSpan(span))
    }),
  )
})

test('a bad value at any depth costs only itself in protobuf', () => {
  fc.assert(
    fc.property(spans, (span) => {
      const request = message([1, message([2, message([2, encodedSpan(span)])])])
      expect(only(spansInProtobuf(request)).span).toEqual(expectedSpan(span))
    }),
  )
})

test('a bad field of a span in JSON costs only itself', () => {
  const good = { name: 'n', kind: 3, flags: 1, status: { code: 2, message: 'm' } }
  const bad = fc.constantFrom<unknown>(null, [], {}, true, 'x', -0.5, [null], { code: {} })
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(good)), bad, (key, value) => {
      const { [key as keyof typeof good]: _, ...rest } = good
      const decode = (span: object) => {
        const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
        return only(spansInJson(Buffer.from(body), () => {})).span
      }
      const { name, status, ...others } = decode({ ...rest, [key]: value })
      const { name: expectedName, status: expectedStatus, ...expected } = decode(rest)
      expect(others).toEqual(expected)
      expect(name).toBe(key === 'name' && value === 'x' ? 'x' : expectedName)
      expect(status?.code ?? 0).toBe(expectedStatus?.code ?? 0)
    }),
  )
})
