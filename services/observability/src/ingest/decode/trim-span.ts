import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import {
  chooseAttributes,
  chooseEvents,
  chooseLinks,
  KEPT_VALUES,
  MAX_LIST_VALUES,
  type Child,
} from './choose-children.ts'
import type { Removed } from './decoded-span.ts'
import { anyValueShape, CHILD_FIELDS, childShapes, countValues, readTag } from './span-size.ts'

/** Of many children of one kind, at least so many of the first and of the last are looked at. */
const CONSIDERED = 8_192

/**
 * Removes attributes, events and links from an encoded span that is too large to decode. Keeps its
 * other fields.
 */
export function trimSpan(encoded: Uint8Array): { encoded: Uint8Array; removed: Removed } {
  const own = new Map<number, Uint8Array>()
  const attributes = new Children(CHILD_FIELDS.attributes)
  const events = new Children(CHILD_FIELDS.events)
  const links = new Children(CHILD_FIELDS.links)
  const children = new Map([attributes, events, links].map((each) => [each.field, each]))
  const reader = new BinaryReader(encoded)
  while (reader.pos < reader.len) {
    const start = reader.pos
    const [number, wireType] = readTag(reader)
    const list = wireType === WireType.LengthDelimited ? children.get(number) : undefined
    if (list !== undefined) list.add(reader.bytes())
    else {
      reader.skip(wireType, number)
      if (number <= MAX_FIELD) own.set(number, encoded.subarray(start, reader.pos))
    }
  }
  const parts = [
    ...own.values(),
    ...attributes.keep(chooseAttributes),
    ...events.keep(chooseEvents),
    ...links.keep(chooseLinks),
  ]
  const removed = { attributes: attributes.removed, events: events.removed }
  return { encoded: Buffer.concat(parts), removed }
}

/** The highest field number of a span. */
const MAX_FIELD = 16

/** The encoded attributes, events or links of a span. */
class Children {
  readonly field: number
  readonly #all: Uint8Array[] = []
  #count = 0
  #kept = 0

  constructor(field: number) {
    this.field = field
  }

  add(child: Uint8Array): void {
    this.#count += 1
    this.#all.push(child)
    if (this.#all.length === 3 * CONSIDERED) this.#all.splice(CONSIDERED, CONSIDERED)
  }

  /** Returns the chosen children as fields of a span. */
  *keep(choose: (children: readonly Child[]) => ReadonlySet<number>): Iterable<Uint8Array> {
    const shape = childShapes.get(this.field) ?? new Map()
    const isAttribute = this.field === CHILD_FIELDS.attributes
    const fitted = this.#all.map((child) => (isAttribute ? shortenList(child) : child))
    const chosen = choose(
      fitted.map((child) => ({
        key: isAttribute ? keyOf(child) : '',
        values: countValues(child, shape, KEPT_VALUES.attributes),
      })),
    )
    this.#kept = chosen.size
    for (const [index, child] of fitted.entries())
      if (chosen.has(index))
        yield new BinaryWriter().tag(this.field, WireType.LengthDelimited).bytes(child).finish()
  }

  get removed(): number {
    return this.#count - this.#kept
  }
}

/** Removes the first elements of an attribute that is a long list, such as a conversation. */
function shortenList(attribute: Uint8Array): Uint8Array {
  if (attribute.length <= MAX_LIST_VALUES) return attribute
  const list = lastField(lastField(attribute, VALUE), ARRAY_VALUE)
  const count = fieldsIn(list, LIST_ELEMENT).reduce((sum) => sum + 1, 0)
  if (count === 0) return attribute
  const last = [...fieldsIn(list, LIST_ELEMENT).drop(Math.max(0, count - MAX_LIST_VALUES))]
  let left = MAX_LIST_VALUES
  const first = last.findLastIndex((element) => {
    left -= 1 + countValues(element, anyValueShape, left)
    return left < 0
  })
  const kept = last.slice(first + 1)
  if (kept.length === 0 || kept.length === count) return attribute
  const writer = new BinaryWriter()
    .tag(KEY, WireType.LengthDelimited)
    .bytes(lastField(attribute, KEY))
  writer.tag(VALUE, WireType.LengthDelimited).fork()
  writer.tag(ARRAY_VALUE, WireType.LengthDelimited).fork()
  for (const element of kept) writer.tag(LIST_ELEMENT, WireType.LengthDelimited).bytes(element)
  return writer.join().join().finish()
}

/** Field numbers of KeyValue, AnyValue and ArrayValue. */
const KEY = 1
const VALUE = 2
const ARRAY_VALUE = 5
const LIST_ELEMENT = 1

/** Returns the key of an encoded attribute. */
export function keyOf(attribute: Uint8Array): string {
  return Buffer.from(lastField(attribute, KEY)).toString('utf8', 0, MAX_KEY_BYTES)
}

/** Of longer keys, only the start decides whether the attribute is kept. */
const MAX_KEY_BYTES = 256

/** Returns the last value of a field that is text or a message; empty if it is missing. */
export function lastField(message: Uint8Array, field: number): Uint8Array {
  let last: Uint8Array = new Uint8Array()
  for (const bytes of fieldsIn(message, field)) last = bytes
  return last
}

/** Yields the values of a field, up to a field that can't be read. */
function* fieldsIn(message: Uint8Array, field: number): Generator<Uint8Array, undefined> {
  const reader = new BinaryReader(message)
  try {
    while (reader.pos < reader.len) {
      const [number, wireType] = readTag(reader)
      if (number === field && wireType === WireType.LengthDelimited) yield reader.bytes()
      else reader.skip(wireType, number)
    }
  } catch {
    // Decoding ends here as well.
  }
}
