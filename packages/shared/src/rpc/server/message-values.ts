import type { DescMessage } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** Maximum nesting of messages; fewer levels than a decoder can recurse into. */
const MAX_DEPTH = 64

/** The fields of a message that contain messages, by number, each with those of its messages. */
type Children = ReadonlyMap<number, () => Children>

const known = new WeakMap<DescMessage, Children>()

/**
 * Counts the values of an encoded message, at any depth, without decoding it: its fields, with each
 * item of a list and each entry of a map. Stops at `limit` + 1. Throws for bytes that are not such
 * a message.
 */
export function countValues(schema: DescMessage, encoded: Uint8Array, limit: number): number {
  let count = 0

  function scan(message: Uint8Array, children: Children, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`messages are nested in more than ${MAX_DEPTH} levels`)
    const reader = new BinaryReader(message)
    while (reader.pos < reader.len && count <= limit) {
      const [number, wireType] = reader.tag()
      if (wireType === WireType.StartGroup) throw new Error('groups are not supported')
      count += 1
      const child = children.get(number)
      if (child === undefined || wireType !== WireType.LengthDelimited)
        reader.skip(wireType, number)
      else scan(reader.bytes(), child(), depth + 1)
    }
  }

  scan(encoded, childrenOf(schema), 0)
  return count
}

function childrenOf(schema: DescMessage): Children {
  let children = known.get(schema)
  if (children === undefined) {
    children = new Map(
      schema.fields.flatMap((field) => {
        const { message, number } = field
        if (message === undefined) return []
        const own = () => childrenOf(message)
        // A map is encoded as a list of entries, whose second field is the value.
        const entry: Children = new Map([[2, own]])
        return [[number, field.fieldKind === 'map' ? () => entry : own] as const]
      }),
    )
    known.set(schema, children)
  }
  return children
}
