/** Shorter values are redacted only where they are words. */
export const MIN_LENGTH = 4
/**
 * Messages may be truncated, so prefixes of a value that have at least this length are redacted,
 * and so are lines of it.
 */
export const PREFIX_LENGTH = 8

/** So many lines have all forms, and the others only that of the value. */
const MAX_ESCAPED_LINES = 1000

/**
 * Returns the texts that show one of the values: the value, its lines, and its forms in JSON, URLs
 * and base64, also within a longer text.
 */
export function formsOf(values: Iterable<string>): string[] {
  const forms = new Set<string>()
  let escapedLines = 0
  for (const value of values) {
    if (value === '') continue
    const lines = value.split('\n').map((line) => line.replace(/\r$/, ''))
    for (const text of [value, ...lines.filter((line) => line.length >= PREFIX_LENGTH)]) {
      forms.add(text)
      if (text !== value && ++escapedLines > MAX_ESCAPED_LINES) continue
      for (const form of [...jsonForms(text), ...urlForms(text)]) forms.add(form)
    }
    for (const form of base64Forms(Buffer.from(value))) forms.add(form)
  }
  return [...forms]
}

/** JSON.stringify, and encoders that also escape what isn't ASCII or has a meaning in HTML. */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const escaped = (pattern: RegExp) =>
    json.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [json, escaped(/[^\0-~]/g), escaped(/[<>&\u2028\u2029]/g)]
}

function urlForms(text: string): string[] {
  const wellFormed = text.toWellFormed()
  const component = encodeURIComponent(wellFormed)
  const forms = [
    component,
    component.replaceAll('%2F', '/'),
    encodeURI(wellFormed),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
  ]
  const lowerCase = (form: string) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  return [...forms, ...forms.map(lowerCase)]
}

/** Within a longer text, e.g. `user:password`, the encoding depends on where the value begins. */
function base64Forms(value: Buffer): string[] {
  const forms = [value.toString('base64'), value.toString('base64url')]
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
