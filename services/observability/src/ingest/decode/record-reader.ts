import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

import { MAX_FIELDS } from './bounds.ts'

/** Longer keys are not remembered. */
const MAX_KEY_BYTES = 64
/** The number of keys that are remembered: a power of two. */
const KEY_COUNT = 1024

interface Key {
  readonly bytes: Uint8Array
  readonly text: string
}

/** The last keys that were read, each at a place that depends on its bytes. */
const keys: (Key | undefined)[] = Array.from({ length: KEY_COUNT })

/** Is thrown for a record with more than MAX_FIELDS fields. */
export class TooManyFields extends Error {}

/** Reads an encoded span or log record. */
export class RecordReader extends BinaryReader {
  /** Where the message ends that is being read: nothing is read beyond it. */
  declare len: number
  readonly #bytes: Uint8Array
  #fields = 0

  constructor(bytes: Uint8Array) {
    super(bytes)
    this.#bytes = bytes
  }

  /** Reads the tag of a field. Throws if there were too many fields, at any depth. */
  nextTag(): number {
    this.#fields += 1
    if (this.#fields > MAX_FIELDS) throw new TooManyFields('the record has too many fields')
    return this.uint32()
  }

  /** Skips a field. Throws for groups, which can be nested and repeated without bounds. */
  skipField(tag: number): void {
    const type: WireType = tag & 7
    if (tag < 8 || type === WireType.StartGroup) throw new Error('it is not a field')
    // The library skips a number to its last byte, however many it has.
    if (type === WireType.Varint) this.uint32()
    else this.skip(type, tag >>> 3)
  }

  /** Reads the key of an attribute, like `string()`: most spans have the same few keys. */
  key(): string {
    const start = this.pos
    const length = this.uint32()
    const end = this.pos + length
    if (length > MAX_KEY_BYTES || end > this.len) return this.#newKey(start)
    let hash = length
    for (let at = this.pos; at < end; at += 1)
      hash = (Math.imul(hash, 31) + (this.#bytes[at] ?? 0)) | 0
    const place = (hash ^ (hash >>> 15)) & (KEY_COUNT - 1)
    const known = keys[place]
    if (known !== undefined && this.#isAt(known.bytes, length)) {
      this.pos = end
      return known.text
    }
    const text = this.#newKey(start)
    keys[place] = { bytes: this.#bytes.slice(end - length, end), text }
    return text
  }

  #newKey(start: number): string {
    this.pos = start
    return this.string()
  }

  #isAt(bytes: Uint8Array, length: number): boolean {
    if (bytes.length !== length) return false
    for (let index = 0; index < length; index += 1)
      if (bytes[index] !== this.#bytes[this.pos + index]) return false
    return true
  }
}
