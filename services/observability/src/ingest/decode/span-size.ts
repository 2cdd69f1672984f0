import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

import { MAX_CHILDREN, MAX_FIELDS, MAX_SPAN_DEPTH, MAX_SPAN_VALUES } from './bounds.ts'

/** An empty child takes two bytes, so a span of at most this size can't have too many children. */
const SMALL_BYTES = 2 * MAX_CHILDREN

/** The fields of a message that contain messages, by number. */
export type Shape = ReadonlyMap<number, Shape>

/** The field numbers of a span's attributes, events and links. */
export const CHILD_FIELDS = { attributes: 9, events: 11, links: 13 } as const

const anyValue = new Map<number, Shape>()
const keyValue: Shape = new Map([[2, anyValue]])
anyValue.set(5, new Map([[1, anyValue]])).set(6, new Map([[1, keyValue]]))

/** The shape of a span's children, by field. */
export const childShapes: Shape = new Map([
  [CHILD_FIELDS.attributes, keyValue],
  [CHILD_FIELDS.events, new Map([[3, keyValue]])],
  [CHILD_FIELDS.links, new Map([[4, keyValue]])],
])

/** The shape of a log record: its body and its attributes. */
export const logShape: Shape = new Map([
  [5, anyValue],
  [6, keyValue],
])

/** The shape of an AnyValue. */
export const anyValueShape: Shape = anyValue

/**
 * Returns whether an encoded span is too large to decode. Reads the span without decoding it,
 * because a decoded span can take a hundred times its encoded size. Throws for bytes that are not a
 * message.
 */
export function isTooLarge(encoded: Uint8Array): boolean {
  if (encoded.length <= SMALL_BYTES) return false
  const children = new Map<number, number>()
  let values = 0
  const reader = new BinaryReader(encoded)
  while (reader.pos < reader.len) {
    const [number, wireType] = readTag(reader)
    values += 1
    const shape = childShapes.get(number)
    if (shape === undefined || wireType !== WireType.LengthDelimited) reader.skip(wireType, number)
    else {
      const count = (children.get(number) ?? 0) + 1
      if (count > MAX_CHILDREN) return true
      children.set(number, count)
      values += countValues(reader.bytes(), shape, MAX_SPAN_VALUES - values)
    }
    if (values > MAX_SPAN_VALUES) return true
  }
  return false
}

/**
 * Counts the values in an encoded message, at any depth, up to a field that can't be read. Returns
 * Infinity if there are more than `limit`, or if they are nested too deeply.
 */
export function countValues(message: Uint8Array, shape: Shape, limit: number, depth = 1): number {
  if (depth > MAX_SPAN_DEPTH) return Infinity
  const reader = new BinaryReader(message)
  let values = 0
  try {
    while (reader.pos < reader.len) {
      const [number, wireType] = readTag(reader)
      values += 1
      const inner = wireType === WireType.LengthDelimited ? shape.get(number) : undefined
      if (inner === undefined) reader.skip(wireType, number)
      else values += countValues(reader.bytes(), inner, limit - values, depth + 1)
      if (values > limit) return Infinity
    }
  } catch {
    // Decoding ends here as well.
  }
  return values
}

/**
 * Returns whether an encoded span or log record has too many fields to be read, at any depth.
 * Removing fields reads them all, so millions of them would block the event loop.
 */
export function hasTooManyFields(encoded: Uint8Array, shape: Shape): boolean {
  // A field takes two bytes or more.
  return encoded.length > 2 * MAX_FIELDS && countFields(encoded, shape, MAX_FIELDS) > MAX_FIELDS
}

function countFields(message: Uint8Array, shape: Shape, limit: number, depth = 1): number {
  const reader = new BinaryReader(message)
  let fields = 0
  try {
    while (reader.pos < reader.len && fields <= limit) {
      const [number, wireType] = readTag(reader)
      fields += 1
      const isMessage = wireType === WireType.LengthDelimited && depth <= MAX_SPAN_DEPTH
      const inner = isMessage ? shape.get(number) : undefined
      if (inner === undefined) reader.skip(wireType, number)
      else fields += countFields(reader.bytes(), inner, limit - fields, depth + 1)
    }
  } catch {
    // Decoding ends here as well.
  }
  return fields
}

/** Reads the tag of a field. Throws for groups, which can be nested without bounds. */
export function readTag(reader: BinaryReader): [number, WireType] {
  const tag = reader.tag()
  if (tag[1] === WireType.StartGroup) throw new Error('groups are not supported')
  return tag
}
