// Constants are read faster than the elements of a list.
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
/** How much is read before the caller may pause: a few milliseconds. */
const SLICE_BYTES = 1024 * 1024
/** More white space in one place is not read. */
const MAX_SPACE = 1024 * 1024
/** Longer keys are not compared. */
const MAX_KEY_BYTES = 64

/** A value in JSON text. */
export interface JsonSlice {
  readonly bytes: Buffer
  /** The number of values in it, approximately. */
  readonly values: number
}

/** A place at which a generator that reads a long text may pause. */
export const PAUSE = { isPause: true } as const

/** Returns a result, and may pause before. */
export type InSlices<Result = void> = Generator<typeof PAUSE, Result>

/** Finds values in JSON text without parsing it. Values that it skips may be invalid. */
export class JsonReader {
  readonly #text: Buffer
  #at: number
  /** The value that is skipped: how deep the reader is in it, and how many values it has. */
  #depth = 0
  #values = 0
  #isInString = false
  #pausedAt = 0

  constructor(text: Buffer) {
    this.#text = text
    this.#at = text.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0
  }

  get isAtObject(): boolean {
    return this.#next() === OBJECT
  }

  get isAtList(): boolean {
    return this.#next() === LIST
  }

  get isAtNull(): boolean {
    this.#next()
    return this.#text.toString('latin1', this.#at, this.#at + 4) === 'null'
  }

  /** Reads the members of an object with a function that reads the value of a key. */
  *members(read: (key: string) => InSlices): InSlices {
    this.#take(OBJECT)
    if (this.#takeIf(OBJECT_END)) return
    do {
      if (this.#next() !== QUOTE) throw new Error('a key is missing')
      const { bytes } = yield* this.value()
      this.#take(COLON)
      yield* read(bytes.length > MAX_KEY_BYTES ? '' : stringIn(bytes.toString('utf8')))
    } while (this.#takeIf(COMMA))
    this.#take(OBJECT_END)
  }

  /** Reads the elements of a list with a function that reads one. */
  *elements(read: () => InSlices): InSlices {
    this.#take(LIST)
    if (this.#takeIf(LIST_END)) return
    do {
      if (this.#at - this.#pausedAt > SLICE_BYTES) yield* this.#pause()
      yield* read()
    } while (this.#takeIf(COMMA))
    this.#take(LIST_END)
  }

  /** Returns the next value, which is skipped. */
  *value(): InSlices<JsonSlice> {
    this.#next()
    const start = this.#at
    this.#values = 0
    while (!this.#skip()) yield* this.#pause()
    if (this.#at === start) throw new Error('a value is missing')
    return { bytes: this.#text.subarray(start, this.#at), values: this.#values }
  }

  /** Throws unless the text has ended. */
  end(): void {
    if (this.#next() !== undefined) throw new Error('text follows the JSON')
  }

  *#pause(): InSlices {
    this.#pausedAt = this.#at
    yield PAUSE
  }

  /** Skips white space, and returns the byte after it; undefined at the end of the text. */
  #next(): number | undefined {
    const text = this.#text
    const end = this.#at + MAX_SPACE
    let at = this.#at
    let byte = text[at]
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      if (at === end) throw new Error('there is too much white space')
      byte = text[++at]
    }
    this.#at = at
    return byte
  }

  #takeIf(byte: number): boolean {
    if (this.#next() !== byte) return false
    this.#at += 1
    return true
  }

  #take(byte: number): void {
    if (!this.#takeIf(byte)) throw new Error(`${String.fromCharCode(byte)} is missing`)
  }

  /** Skips a value, or a slice of it. Returns whether it is at the end of the value. */
  #skip(): boolean {
    const text = this.#text
    const end = Math.min(text.length, this.#at + SLICE_BYTES)
    let at = this.#at
    let isAtEnd = false
    while (at < end && !isAtEnd) {
      if (this.#isInString) {
        at = this.#skipString(at, end)
        isAtEnd = !this.#isInString && this.#depth === 0
        continue
      }
      const byte = text[at]
      if (byte === QUOTE) this.#isInString = true
      else if (byte === OBJECT || byte === LIST) {
        this.#depth += 1
        this.#values += 1
      } else if (byte === COMMA || byte === OBJECT_END || byte === LIST_END) {
        // It is at the end of a number or a word.
        if (this.#depth === 0) break
        if (byte === COMMA) this.#values += 1
        else this.#depth -= 1
        isAtEnd = this.#depth === 0
      }
      at += 1
    }
    this.#at = at
    if (at >= text.length && (this.#depth > 0 || this.#isInString))
      throw new Error('a value is truncated')
    return isAtEnd || at < end || at >= text.length
  }

  /** Skips a string that it is in, up to an end. */
  #skipString(start: number, end: number): number {
    const text = this.#text
    let at = start
    for (; at < end; at += 1) {
      const byte = text[at]
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) {
        this.#isInString = false
        return at + 1
      }
    }
    return at
  }
}

/** Returns the text of a JSON string; empty if it is invalid. */
function stringIn(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1)
  try {
    return String(JSON.parse(json))
  } catch {
    return ''
  }
}
