/** A column of a table, and how its values are written. */
export interface Column<Row> {
  readonly name: string
  /** The type of the values. ClickHouse converts them if the table's column has another one. */
  readonly type: string
  readonly write: (rows: readonly Row[], block: BlockWriter) => void
}

type ValueOf<Row, Value> = (row: Row) => Value

/** A column of texts that mostly differ. */
export function string<Row>(name: string, valueOf: ValueOf<Row, string>): Column<Row> {
  return {
    name,
    type: 'String',
    write(rows, block) {
      for (const row of rows) block.text(valueOf(row))
    },
  }
}

/** A column of texts that many rows share: each is written once. */
export function lowCardinality<Row>(name: string, valueOf: ValueOf<Row, string>): Column<Row> {
  return {
    name,
    type: 'LowCardinality(String)',
    write(rows, block) {
      const places = new Map([['', 0]])
      const indexes = new Uint32Array(rows.length)
      let [index, last, place] = [0, '', 0]
      for (const row of rows) {
        const word = valueOf(row)
        if (word !== last) {
          last = word
          place = places.get(word) ?? places.size
          places.set(word, place)
        }
        indexes[index] = place
        index += 1
      }
      block.dictionary([...places.keys()], indexes)
    },
  }
}

/** A column of numbers that fit into a byte. */
export function uint8<Row>(name: string, valueOf: ValueOf<Row, number>): Column<Row> {
  return {
    name,
    type: 'UInt8',
    write(rows, block) {
      for (const row of rows) block.byte(valueOf(row))
    },
  }
}

/** A column of numbers that aren't negative. */
export function uint64<Row>(name: string, valueOf: ValueOf<Row, bigint>): Column<Row> {
  return { name, type: 'UInt64', write: (rows, block) => writeNumbers(rows, block, valueOf) }
}

/** A column of times in nanoseconds since 1970. */
export function dateTime<Row>(name: string, valueOf: ValueOf<Row, bigint>): Column<Row> {
  const type = "DateTime64(9, 'UTC')"
  return { name, type, write: (rows, block) => writeNumbers(rows, block, valueOf) }
}

function writeNumbers<Row>(
  rows: readonly Row[],
  block: BlockWriter,
  valueOf: ValueOf<Row, bigint>,
): void {
  for (const row of rows) block.number(valueOf(row))
}

/** A column of bytes in hexadecimal digits. An empty value is written as zeros. */
export function fixedString<Row>(
  name: string,
  bytes: 8 | 16,
  valueOf: ValueOf<Row, string>,
): Column<Row> {
  return {
    name,
    type: `FixedString(${bytes})`,
    write(rows, block) {
      for (const row of rows) block.hex(valueOf(row), bytes)
    },
  }
}

/** A column with the last four bytes of ids in hexadecimal digits, in the order of ClickHouse. */
export function traceTail<Row>(name: string, valueOf: ValueOf<Row, string>): Column<Row> {
  return {
    name,
    type: 'UInt32',
    write(rows, block) {
      for (const row of rows) block.hex(valueOf(row).slice(-8), 4)
    },
  }
}

/**
 * Writes rows in the format Native: by column, as ClickHouse stores them. Its parser takes several
 * times as long for JSON.
 * https://clickhouse.com/docs/interfaces/formats/Native
 */
export function nativeBlock<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Uint8Array<ArrayBuffer> {
  const block = new BlockWriter()
  block.length(columns.length)
  block.length(rows.length)
  for (const { name, type, write } of columns) {
    block.text(name)
    block.text(type)
    write(rows, block)
  }
  return block.finish()
}

const INITIAL_BYTES = 1024 * 1024
/** A larger buffer is not kept for the next block. */
const KEPT_BYTES = 8 * 1024 * 1024
/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3
/** The dictionary is in the block, and each value has the place of its text in it. */
const HAS_KEYS = 0x200n
/** The code of four bytes for each place. */
const FOUR_BYTES = 2n
const DICTIONARY_VERSION = 1n

let kept = Buffer.allocUnsafeSlow(INITIAL_BYTES)

/** Writes values one after the other. Only one of them may be in use at a time. */
class BlockWriter {
  #buffer = kept
  #view = viewOf(kept)
  #at = 0

  /** Writes the length of what follows. */
  length(length: number): void {
    this.#reserve(5)
    this.#writeLength(length, 1)
  }

  text(text: string): void {
    const most = text.length * MAX_BYTES_PER_UNIT
    this.#reserve(most + 5)
    const lengthBytes = most < 2 ** 7 ? 1 : most < 2 ** 14 ? 2 : most < 2 ** 21 ? 3 : 5
    const written = this.#buffer.write(text, this.#at + lengthBytes, most)
    this.#writeLength(written, lengthBytes)
    this.#at += written
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#at] = value
    this.#at += 1
  }

  number(value: bigint): void {
    this.#reserve(8)
    this.#view.setBigUint64(this.#at, value, true)
    this.#at += 8
  }

  /** Writes a number of bytes in hexadecimal digits. Missing ones are zeros. */
  hex(digits: string, bytes: number): void {
    this.#reserve(bytes)
    const written = digits === '' ? 0 : this.#buffer.write(digits, this.#at, bytes, 'hex')
    if (written < bytes) this.#buffer.fill(0, this.#at + written, this.#at + bytes)
    this.#at += bytes
  }

  /** Writes the values of a column by their places in a list of words. */
  dictionary(words: readonly string[], places: Uint32Array): void {
    this.number(DICTIONARY_VERSION)
    this.number(HAS_KEYS | FOUR_BYTES)
    this.number(BigInt(words.length))
    for (const word of words) this.text(word)
    this.number(BigInt(places.length))
    this.#reserve(places.byteLength)
    for (const place of places) {
      this.#view.setUint32(this.#at, place, true)
      this.#at += 4
    }
  }

  /** Returns a copy of what was written. */
  finish(): Uint8Array<ArrayBuffer> {
    const written = new Uint8Array(this.#at)
    written.set(this.#buffer.subarray(0, this.#at))
    return written
  }

  /** Writes a length as a varint of at least a number of bytes: leading zeros are valid. */
  #writeLength(length: number, bytes: number): void {
    let left = length
    for (let byte = 1; byte < bytes || left > 0x7f; byte += 1) {
      this.#buffer[this.#at] = (left & 0x7f) | 0x80
      this.#at += 1
      left >>>= 7
    }
    this.#buffer[this.#at] = left
    this.#at += 1
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(needed)))
    larger.set(this.#buffer.subarray(0, this.#at))
    this.#buffer = larger
    this.#view = viewOf(larger)
    if (larger.length <= KEPT_BYTES) kept = larger
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}
