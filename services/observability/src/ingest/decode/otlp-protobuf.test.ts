import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { describe, expect, test } from 'vitest'

import { MAX_SPANS } from './bounds.ts'
import { NOTHING_REMOVED } from './decoded-record.ts'
import { spansInProtobuf } from './otlp-protobuf.ts'
import { UNREADABLE } from './unreadable-record.ts'

const request = create(ExportTraceServiceRequestSchema, {
  resourceSpans: [
    {
      resource: {
        attributes: [{ key: 'k', value: { value: { case: 'stringValue', value: 'v' } } }],
      },
      schemaUrl: 'x',
      scopeSpans: [
        { scope: { name: 's' }, spans: [{ name: 'one' }, { name: 'two', flags: 3 }] },
        { spans: [] },
      ],
    },
    {},
    { scopeSpans: [{ spans: [{ name: 'three', spanId: Uint8Array.of(1) }] }] },
  ],
})

test('yields the same spans as decoding the whole request', () => {
  const bytes = toBinary(ExportTraceServiceRequestSchema, request)
  const whole = fromBinary(ExportTraceServiceRequestSchema, bytes)
  expect([...spansInProtobuf(bytes)]).toEqual(
    whole.resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map((span) => ({ span, scope: scope?.name ?? '', removed: NOTHING_REMOVED })),
      ),
    ),
  )
})

test('finds the scope of spans that precede it', () => {
  const scope = field(1, field(1, Buffer.from('late')))
  const bytes = field(1, field(2, field(2, good), scope))
  expect([...spansInProtobuf(bytes)]).toMatchObject([{ span: { name: 'good' }, scope: 'late' }])
})

test.each([
  ['an empty request', []],
  ['unknown fields only', [0x98, 0x06, 0x01]],
])('finds no spans in %s', (_, bytes) => {
  expect([...spansInProtobuf(Uint8Array.from(bytes))]).toEqual([])
})

test.each([
  ['a truncated message', [0x0a, 0x05, 0x12]],
  ['a number in place of a message', [0x08, 0x01]],
  ['noise', [0xff, 0xff]],
])('rejects %s', (_, bytes) => {
  expect(() => [...spansInProtobuf(Uint8Array.from(bytes))]).toThrow(/./)
})

/** Encodes a field of a message with the given content. */
function field(number: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const tag = (number << 3) | 2
  return Buffer.concat([varint(tag), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
  }
  return Buffer.from(bytes)
}

const requestOf = (...spans: readonly Uint8Array[]) =>
  field(1, field(2, ...spans.map((span) => field(2, span))))
const good = field(5, Buffer.from('good'))

describe('rejects a request that takes far more memory than its size:', () => {
  test.each([
    ['spans', field(1, field(2, Buffer.from('1200'.repeat(MAX_SPANS + 1), 'hex')))],
    ['resources', Buffer.from('0a00'.repeat(1_000_000), 'hex')],
    ['scopes', field(1, Buffer.from('1200'.repeat(1_000_000), 'hex'))],
    ['unknown fields', Buffer.from('7800'.repeat(1_000_000), 'hex')],
  ])('too many %s', (_, bytes) => {
    expect(() => [...spansInProtobuf(bytes)]).toThrow(expect.objectContaining({ status: 413 }))
  })
})

const empty = (count: number, tag: string) => Buffer.from(`${tag}00`.repeat(count), 'hex')

function nested(depth: number): Buffer {
  // The value of an attribute: a list that contains a list, and so on.
  const inside = depth === 0 ? Buffer.alloc(2500, 'x') : nested(depth - 1)
  return depth === 0 ? field(1, inside) : field(5, field(1, inside))
}

test('replaces what is not UTF-8', () => {
  const bytes = Uint8Array.of(0x41, 0xff, 0x42)
  const span = Buffer.concat([
    field(5, bytes),
    field(9, field(1, bytes), field(2, field(1, bytes))),
    field(11, field(2, bytes)),
    field(15, field(2, bytes)),
  ])
  const text = 'A\ufffdB'
  expect([...spansInProtobuf(requestOf(span))]).toMatchObject([
    {
      span: {
        name: text,
        attributes: [{ key: text, value: { value: { value: text } } }],
        events: [{ name: text }],
        status: { message: text },
      },
    },
  ])
})

test.each([
  ['scope', field(2, field(2, good), Uint8Array.of(0x0a, 0x05, 0x0a))],
  ['scope that is a number', Uint8Array.of(0x10, 0x01)],
  ['resource', Uint8Array.of(0x12, 0x7f)],
])('keeps the spans next to a truncated %s', (_, broken) => {
  const found = [...spansInProtobuf(field(1, field(2, field(2, good)), broken))]
  expect(found.filter((each) => 'span' in each).length).toBeGreaterThan(0)
  expect(found.at(-1)).toEqual({ reason: UNREADABLE.malformed })
})

test('keeps the spans of a scope whose name cannot be read', () => {
  const scope = field(1, Uint8Array.of(0x0a, 0x7f))
  expect([...spansInProtobuf(field(1, field(2, scope, field(2, good))))]).toMatchObject([
    { span: { name: 'good' }, scope: '' },
  ])
})

describe('rejects only the one span that', () => {
  test.each([
    ['is truncated', Uint8Array.of(0x2a, 0x05, 0x41), UNREADABLE.malformed],
    ['has 200,000 fields', empty(200_001, '78'), UNREADABLE.tooLarge],
    [
      'has 200,000 values in an attribute',
      field(9, field(2, field(5, empty(200_000, '0a')))),
      UNREADABLE.tooLarge,
    ],
    [
      'has a group',
      Buffer.concat([Buffer.from('7b7800', 'hex'), empty(3_000, '78')]),
      UNREADABLE.malformed,
    ],
  ])('%s', (_, span, reason) => {
    expect([...spansInProtobuf(requestOf(span, good))]).toMatchObject([
      { reason },
      { span: { name: 'good' } },
    ])
  })
})

const name = field(5, Buffer.from('long'))
const tokens = attribute('gen_ai.usage.input_tokens', Buffer.from('1805', 'hex'))

function attribute(key: string, value: Uint8Array): Buffer {
  return field(9, field(1, Buffer.from(key)), field(2, value))
}

describe('removes from the one span that is too large', () => {
  test.each([
    ['attributes', empty(190_000, '4a'), { attributes: 190_000 - 1_023, events: 0 }],
    ['events', empty(1_025, '5a'), { attributes: 0, events: 1 }],
    ['links', empty(1_025, '6a'), { attributes: 0, events: 0 }],
    [
      'the last values of an attribute',
      attribute('other', field(6, empty(20_000, '0a'))),
      { attributes: 1, events: 0 },
    ],
    ['unknown fields', Buffer.from('9801'.repeat(20_000), 'hex'), { attributes: 0, events: 0 }],
    ['an attribute that is nested too deeply', field(9, field(2, nested(40))), { attributes: 1 }],
  ])('%s', (_, part, removed) => {
    const span = Buffer.concat([name, part, tokens])
    expect([...spansInProtobuf(requestOf(span, good))]).toMatchObject([
      { span: { name: 'long', attributes: expect.arrayContaining([usage]) }, removed },
      { span: { name: 'good' } },
    ])
  })

  test('the first messages of a conversation', () => {
    const list = field(5, ...Array.from({ length: 20_000 }, (_, index) => field(1, text(index))))
    const [long] = spansInProtobuf(requestOf(Buffer.concat([attribute('list', list), tokens])))
    const values = long && 'span' in long ? long.span.attributes[0]?.value?.value : undefined
    const kept = values?.case === 'arrayValue' ? values.value.values : []
    expect(kept.at(-1)).toMatchObject({ value: { value: '19999' } })
    expect(kept.length).toBeLessThan(5_000)
    expect(kept.length).toBeGreaterThan(1_000)
  })

  test('nothing up to the limits', () => {
    const spans = [
      ...spansInProtobuf(requestOf(empty(1_024, '4a'), field(9, field(2, nested(20))))),
    ]
    expect(spans).toMatchObject([
      { span: { attributes: { length: 1024 } }, removed: NOTHING_REMOVED },
      { span: { attributes: { length: 1 } }, removed: NOTHING_REMOVED },
    ])
  })
})

const usage = expect.objectContaining({ key: 'gen_ai.usage.input_tokens' }) as unknown

/** An AnyValue with a string. */
function text(number: number): Buffer {
  return field(1, Buffer.from(String(number)))
}
