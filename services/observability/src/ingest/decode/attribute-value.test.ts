import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  KeyValueSchema,
  type AnyValueSchema,
} from '@slipway/proto/opentelemetry/proto/common/v1/common'
import { describe, expect, test } from 'vitest'

import { ATTRIBUTE_LIMITS, attributesToJson, toAttributes } from './attribute-value.ts'

type Value = MessageInitShape<typeof AnyValueSchema>

function toJson(values: Readonly<Record<string, Value>>): unknown {
  return JSON.parse(textOf(values))
}

function textOf(values: Readonly<Record<string, Value>>): string {
  return attributesToJson(
    toAttributes(
      Object.entries(values).map(([key, value]) => create(KeyValueSchema, { key, value })),
    ),
  )
}

const text = (value: string): Value => ({ value: { case: 'stringValue', value } })

describe('attributesToJson', () => {
  test('keeps every type', () => {
    expect(
      toJson({
        text: text('a "b"'),
        flag: { value: { case: 'boolValue', value: true } },
        whole: { value: { case: 'intValue', value: -5n } },
        broken: { value: { case: 'doubleValue', value: 1.5 } },
        infinite: { value: { case: 'doubleValue', value: Infinity } },
        bytes: { value: { case: 'bytesValue', value: Uint8Array.of(1, 2) } },
        list: { value: { case: 'arrayValue', value: { values: [text('x'), {}] } } },
        map: {
          value: {
            case: 'kvlistValue',
            value: { values: [{ key: 'k', value: text('v') }, { key: 'e' }] },
          },
        },
        empty: {},
        reference: { value: { case: 'stringValueStrindex', value: 1 } },
      }),
    ).toEqual({
      text: 'a "b"',
      flag: true,
      whole: -5,
      broken: 1.5,
      infinite: 'Infinity',
      bytes: 'AQI=',
      list: ['x', null],
      map: { k: 'v', e: null },
      empty: null,
      reference: null,
    })
  })

  test('keeps every digit of large integers', () => {
    expect(textOf({ n: { value: { case: 'intValue', value: 2n ** 62n } } })).toBe(
      `{"n":${2n ** 62n}}`,
    )
  })

  test('drops and truncates attributes beyond the limits', () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`k${index}`, text('x')]),
    )
    expect(Object.keys(toJson(many) as object)).toHaveLength(ATTRIBUTE_LIMITS.count + 1)
    expect(toJson(many)).toMatchObject({
      'slipway.dropped_attributes': 200 - ATTRIBUTE_LIMITS.count,
    })
    const large = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`k${index}`, text('x'.repeat(20_000))]),
    )
    expect(textOf(large).length).toBeLessThan(ATTRIBUTE_LIMITS.totalBytes + 100)
    expect(toJson({ k: text('x'.repeat(20_000)) })).toEqual({
      k: 'x'.repeat(ATTRIBUTE_LIMITS.valueBytes),
    })
  })

  test('keeps the attributes after one that is too large, and counts the dropped ones', () => {
    const list: Value = {
      value: {
        case: 'arrayValue',
        value: { values: Array.from({ length: 10 }, () => text('x'.repeat(10_000))) },
      },
    }
    const map: Value = {
      value: { case: 'kvlistValue', value: { values: [{ key: 'k', value: list }] } },
    }
    expect(toJson({ a: text('1'), list, map, z: text('2') })).toEqual({
      a: '1',
      z: '2',
      'slipway.dropped_attributes': 2,
    })
  })

  test('truncates deeply nested lists', () => {
    let value = text('deep')
    for (let depth = 0; depth < 20; depth += 1)
      value = { value: { case: 'arrayValue', value: { values: [value] } } }
    expect(textOf({ k: value })).toBe(`{"k":${'['.repeat(8)}null${']'.repeat(8)}}`)
  })
})
