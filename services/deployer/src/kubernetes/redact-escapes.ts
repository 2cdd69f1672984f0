/** A text without escapes, and from which part of the escaped text each of its characters is. */
export interface Unescaped {
  readonly text: string
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** An escape within another kind of escape, such as JSON in a URL, needs another pass. */
const PASSES = 2
const CONTROLS = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }))
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))
const ENTITY = /&(?:amp;)*(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/iy

/**
 * Removes the escapes of JSON and of the strings of programs, of URLs and forms, and of HTML from a
 * text. Both texts have a character for each byte of UTF-8. Undefined if it has none. Each may
 * be escaped again, with any number of backslashes, of `25` after a percent sign, and of `amp;`. So
 * a backslash alone is removed, too.
 */
export function unescaped(text: string): Unescaped | undefined {
  let result: Unescaped | undefined
  for (let pass = 0; pass < PASSES; pass++) {
    const next = unescapedOnce(result?.text ?? text)
    if (next === undefined) break
    result = result === undefined ? next : within(result, next)
  }
  return result
}

/** What an escape stands for, and where it ends. */
type Decoded = readonly [bytes: string, end: number]

function unescapedOnce(text: string): Unescaped | undefined {
  if (!/[\\%&+]/.test(text)) return undefined
  // An escape is never shorter than the bytes that it stands for.
  const bytes = Buffer.allocUnsafe(text.length)
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  let length = 0
  for (let at = 0; at < text.length;) {
    const [decoded, end] = decodeAt(text, at) ?? [text[at] ?? '', at + 1]
    for (let index = 0; index < decoded.length; index++, length++) {
      bytes[length] = decoded.charCodeAt(index)
      starts[length] = at
      ends[length] = end
    }
    at = end
  }
  return { text: bytes.toString('latin1', 0, length), starts, ends }
}

function decodeAt(text: string, at: number): Decoded | undefined {
  const first = text[at]
  if (first === '\\') return decodeBackslashes(text, at)
  if (first === '%') return decodePercent(text, at)
  if (first === '&') return decodeEntity(text, at)
  return first === '+' ? [' ', at + 1] : undefined
}

function decodeBackslashes(text: string, at: number): Decoded {
  let end = at
  while (text[end] === '\\') end++
  const kind = text[end] ?? ''
  const control = CONTROLS.get(kind)
  if (control !== undefined) return [control, end + 1]
  const byte = kind === 'x' ? hexAt(text, end + 1, 2) : undefined
  if (byte !== undefined) return [String.fromCharCode(byte), end + 3]
  const unit = kind === 'u' ? hexAt(text, end + 1, 4) : undefined
  if (unit === undefined) return ['', end]
  let next = end + 5
  while (text[next] === '\\') next++
  const isPair = unit >>> 10 === 0xd800 >>> 10 && next > end + 5 && text[next] === 'u'
  const low = isPair ? hexAt(text, next + 1, 4) : undefined
  return low === undefined ? [utf8(unit), end + 5] : [utf8(unit, low), next + 5]
}

function decodePercent(text: string, at: number): Decoded | undefined {
  let last = at + 1
  while (text.startsWith('25', last) && hexAt(text, last + 2, 2) !== undefined) last += 2
  const byte = hexAt(text, last, 2)
  return byte === undefined ? undefined : [String.fromCharCode(byte), last + 2]
}

function decodeEntity(text: string, at: number): Decoded | undefined {
  ENTITY.lastIndex = at
  const [whole, hex, decimal, name] = ENTITY.exec(text) ?? []
  if (whole === undefined) return undefined
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return [ENTITIES.get(name?.toLowerCase() ?? '') ?? utf8(code), at + whole.length]
}

function hexAt(text: string, at: number, digits: number): number | undefined {
  let value = 0
  for (let index = at; index < at + digits; index++) {
    const code = text.charCodeAt(index)
    const letter = code | 0x20
    if (code >= 0x30 && code <= 0x39) value = value * 16 + code - 0x30
    else if (letter >= 0x61 && letter <= 0x66) value = value * 16 + letter - 0x57
    else return undefined
  }
  return value
}

function utf8(...codes: number[]): string {
  if (codes.some((code) => code > 0x10ffff)) return ''
  return Buffer.from(String.fromCodePoint(...codes)).toString('latin1')
}

/** The result of a second pass, with the parts of the first text. */
function within(first: Unescaped, { text, starts, ends }: Unescaped): Unescaped {
  for (let index = 0; index < text.length; index++) {
    starts[index] = first.starts[starts[index] ?? 0] ?? 0
    ends[index] = first.ends[(ends[index] ?? 0) - 1] ?? 0
  }
  return { text, starts, ends }
}
