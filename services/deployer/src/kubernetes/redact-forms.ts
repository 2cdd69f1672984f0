import { unescaped } from './redact-escapes.ts'

/** Shorter values are redacted only where they are words. */
export const MIN_LENGTH = 4
/**
 * Messages may be truncated, so prefixes of a value that have at least this length are redacted,
 * and so are lines of it.
 */
export const PREFIX_LENGTH = 8

/** The lengths of lines into which programs break base64. */
const BASE64_LINES = [64, 76] as const

/**
 * Returns the texts that show one of the values, with a character for each byte of UTF-8: the
 * value, its lines, also those that are escaped in it, and its forms in hexadecimal digits and in
 * base64, also within a longer text. SecretSearch finds them with escapes, too.
 */
export function formsOf(values: Iterable<string>): string[] {
  const forms = new Set<string>()
  for (const value of values) {
    if (value === '') continue
    const bytes = Buffer.from(value)
    const text = bytes.toString('latin1')
    forms.add(text)
    for (const line of [text, unescaped(text)?.text ?? ''].flatMap((lines) => lines.split('\n')))
      if (line.length >= PREFIX_LENGTH) forms.add(line.replace(/\r$/, ''))
    const hex = bytes.toString('hex')
    if (hex.length >= PREFIX_LENGTH) forms.add(hex).add(hex.toUpperCase())
    for (const form of base64Forms(bytes)) forms.add(form)
  }
  return [...forms]
}

/** Within a longer text, e.g. `user:password`, the encoding depends on where the value begins. */
function base64Forms(value: Buffer): string[] {
  const whole = value.toString('base64')
  const forms = [whole, value.toString('base64url')]
  for (const width of BASE64_LINES)
    for (let at = 0; whole.length > width && at + PREFIX_LENGTH <= whole.length; at += width)
      forms.push(whole.slice(at, at + width))
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), value])
    // These characters depend on the text before and after the value.
    const start = Math.ceil((before * 4) / 3)
    const isOpen = shifted.length % 3 !== 0
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = shifted.toString(encoding).replace(/=+$/, '')
      const form = encoded.slice(start, isOpen ? -1 : undefined)
      if (form.length >= PREFIX_LENGTH) forms.push(form)
    }
  }
  return forms
}
