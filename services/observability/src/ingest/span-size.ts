import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

import { MAX_CHILDREN, MAX_SPAN_DEPTH, MAX_SPAN_VALUES } from './bounds.ts'
import { UNREADABLE } from './unreadable-span.ts'

/**
 * An empty child takes two bytes, so a span that is no larger can't have too many. Most spans are
 * far smaller.
 */
const SMALL_BYTES = 2 * MAX_CHILDREN

/** The messages in a message, by the numbers of their fields. */
type Shape = Map<number, Shape>

const anyValue: Shape = new Map()
const keyValue: Shape = new Map([[2, anyValue]])
anyValue.set(5, new Map([[1, anyValue]])).set(6, new Map([[1, keyValue]]))
const event: Shape = new Map([[3, keyValue]])
const link: Shape = new Map([[4, keyValue]])
const span: Shape = new Map([
  [9, keyValue],
  [11, event],
  [13, link],
])

/**
 * Why an encoded span is too much to be decoded; undefined when it isn't. Nothing is made of it for
 * that: a few bytes on the wire become a hundred times as many in memory. Throws for what is no
 * message.
 */
export function findExcess(encoded: Uint8Array): string | undefined {
  if (encoded.length <= SMALL_BYTES) return undefined
  const children = new Map<number, number>()
  let values = 0

  function look(message: Uint8Array, shape: Shape, depth: number): string | undefined {
    if (depth > MAX_SPAN_DEPTH) return UNREADABLE.tooDeep
    const reader = new BinaryReader(message)
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag()
      if (wireType === WireType.StartGroup) throw new Error('groups are not used')
      values += 1
      const child = shape.get(number)
      if (child !== undefined && depth === 0) {
        const count = (children.get(number) ?? 0) + 1
        if (count > MAX_CHILDREN) return UNREADABLE.tooManyChildren
        children.set(number, count)
      }
      if (values > MAX_SPAN_VALUES) return UNREADABLE.tooManyValues
      if (child === undefined || wireType !== WireType.LengthDelimited)
        reader.skip(wireType, number)
      else {
        const excess = look(reader.bytes(), child, depth + 1)
        if (excess !== undefined) return excess
      }
    }
    return undefined
  }

  return look(encoded, span, 0)
}
