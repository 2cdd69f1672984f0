import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { StructSchema, ValueSchema } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'

import { countValues } from './message-values.ts'

const text = (value: string) => create(ValueSchema, { kind: { case: 'stringValue', value } })

function encoded(fields: MessageInitShape<typeof StructSchema>['fields']): Uint8Array {
  return toBinary(StructSchema, create(StructSchema, { fields: fields ?? {} }))
}

test('counts fields, entries and items at any depth', () => {
  expect(countValues(StructSchema, encoded({}), 10)).toBe(0)
  // An entry with its key, its value, and what the value has.
  expect(countValues(StructSchema, encoded({ a: text('x') }), 10)).toBe(4)
  const list = create(ValueSchema, {
    kind: { case: 'listValue', value: { values: [text('x'), text('y')] } },
  })
  expect(countValues(StructSchema, encoded({ a: text('x'), b: list }), 100)).toBe(4 + 4 + 4)
})

test('stops at the limit', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [index, text('x')]))
  expect(countValues(StructSchema, encoded(many), 20)).toBe(21)
})

test('counts unknown fields, too', () => {
  expect(countValues(StructSchema, Buffer.from('7800'.repeat(5), 'hex'), 10)).toBe(5)
})

test('rejects bytes that are not a message, and deep nesting', () => {
  expect(() => countValues(StructSchema, Buffer.from('0a7f41', 'hex'), 10)).toThrow('premature EOF')
  expect(() => countValues(StructSchema, Buffer.from('0b0c', 'hex'), 10)).toThrow('groups')
  let value = text('x')
  for (let depth = 0; depth < 40; depth += 1)
    value = create(ValueSchema, { kind: { case: 'listValue', value: { values: [value] } } })
  expect(() => countValues(StructSchema, encoded({ a: value }), 1000)).toThrow('64 levels')
})
