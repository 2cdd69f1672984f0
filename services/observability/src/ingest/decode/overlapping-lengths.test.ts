import { BinaryReader } from '@bufbuild/protobuf/wire'
import { expect, test, vi } from 'vitest'

import { decodeLogFields } from './decode-log-fields.ts'
import { decodeSpanFields } from './decode-span-fields.ts'

const COUNT = 500

/** Encodes a length in four bytes, so that a message's size doesn't depend on it. */
const inFourBytes = (length: number) => [
  (length & 0x7f) | 0x80,
  ((length >> 7) & 0x7f) | 0x80,
  ((length >> 14) & 0x7f) | 0x80,
  length >> 21,
]

/** Repeats a message whose last field is as long as the rest of the record. */
function overlapping(...start: readonly number[]): number[] {
  const size = start.length + 4
  return Array.from({ length: COUNT }, (_, index) => [
    ...start,
    ...inFourBytes((COUNT - 1 - index) * size),
  ]).flat()
}

/** Encodes a field of a message with the given content. */
const field = (number: number, content: readonly number[]) => [
  (number << 3) | 2,
  ...inFourBytes(content.length),
  ...content,
]

const elements = overlapping(0x0a, 0x05, 0x0a)

test.each([
  ['the elements of a list', decodeSpanFields, field(9, field(2, field(5, elements)))],
  ['the keys of a map', decodeSpanFields, field(9, field(2, field(6, elements)))],
  ['the keys of attributes', decodeSpanFields, overlapping(0x4a, 0x05, 0x0a)],
  ['the values of attributes', decodeSpanFields, overlapping(0x4a, 0x07, 0x12, 0x05, 0x0a)],
  ['the names of events', decodeSpanFields, overlapping(0x5a, 0x05, 0x12)],
  ['the texts of statuses', decodeSpanFields, overlapping(0x7a, 0x05, 0x12)],
  ['the body of a log record', decodeLogFields, field(5, field(5, elements))],
  ['the attributes of a log record', decodeLogFields, overlapping(0x32, 0x07, 0x12, 0x05, 0x0a)],
])('decodes no byte twice if %s are as long as the rest', (_, decode, bytes) => {
  using decoded = vi.spyOn(BinaryReader.prototype, 'string')
  decode(Uint8Array.from(bytes))
  const texts = decoded.mock.results.filter(({ type }) => type === 'return')
  expect(texts.map(({ value }) => String(value)).join('').length).toBeLessThan(bytes.length)
})

test('does not read a number that has more bytes than a number can have', () => {
  const value = field(1, [0x76])
  const number = [0x78, ...Array.from({ length: 11 }, () => 0x80), 0x00]
  const pair = [...field(1, [0x6b]), ...field(2, [...value, ...number])]
  const span = decodeSpanFields(Uint8Array.from([...field(9, pair), ...field(5, [0x6e])]))
  expect(span).toMatchObject({ name: 'n', attributes: [{ key: 'k' }] })
  expect(span.attributes[0]?.value).toBeUndefined()
})
