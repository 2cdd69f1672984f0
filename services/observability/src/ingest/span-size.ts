import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

import { MAX_CHILDREN, MAX_SPAN_DEPTH, MAX_SPAN_VALUES } from './bounds.ts'
import { UNREADABLE } from './unreadable-span.ts'

/** An empty child takes two bytes, so a span of at most this size can't have too many children. */
const SMALL_BYTES = 2 * MAX_CHILDREN

/** The fields of a message that contain messages, by number. */
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
 * Returns why an encoded span is too large to decode; undefined if it isn't. Reads the span without
 * decoding it, because a decoded span can take a hundred times its encoded size. Throws for bytes
 * that are not a message.
 */
export function findExcess(encoded: Uint8Array): string | undefined {
  if (encoded.length <= SMALL_BYTES) return undefined
  const children = new Map<number, number>()
  let values = 0

  function scan(message: Uint8Array, shape: Shape, depth: number): string | undefined {
    if (depth > MAX_SPAN_DEPTH) return UNREADABLE.tooDeep
    const reader = new BinaryReader(message)
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag()
      if (wireType === WireType.StartGroup) throw new Error('groups are not supported')
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
        const excess = scan(reader.bytes(), child, depth + 1)
        if (excess !== undefined) return excess
      }
    }
    return undefined
  }

  return scan(encoded, span, 0)
}
