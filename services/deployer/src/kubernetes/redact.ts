/**
 * Messages may be truncated, so prefixes of a value that have at least this length are redacted.
 */
const PREFIX_LENGTH = 8
const REPLACEMENT = '[redacted]'

/**
 * Redacts secret values from a message of the API server, which may quote the request: as plain
 * text, JSON-escaped or base64, complete or truncated. When the message contains a value of less
 * than four characters, the whole message is redacted. A text that is never truncated
 * (`isWhole`) keeps words that only begin like a value.
 */
export function redactSecrets(
  message: string,
  values: Iterable<string>,
  options: { readonly isWhole?: boolean } = {},
): string {
  return secretRedactor(values, options)(message)
}

/** Returns a function that redacts the same values from many messages; see redactSecrets. */
export function secretRedactor(
  values: Iterable<string>,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): (message: string) => string {
  const forms = new Set<string>()
  for (const value of values) {
    if (value === '') continue
    forms.add(value)
    forms.add(JSON.stringify(value).slice(1, -1))
    forms.add(Buffer.from(value).toString('base64'))
    for (const line of value.split('\n')) if (line.length >= PREFIX_LENGTH) forms.add(line)
  }
  // Longest first, because one value may contain another.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  return (message) => redactForms(message, longestFirst, isWhole)
}

function redactForms(message: string, forms: readonly string[], isWhole: boolean): string {
  let result = message
  for (const form of forms) {
    if (form.length < 4) {
      if (result.includes(form)) return REPLACEMENT
      continue
    }
    result = result.replaceAll(form, REPLACEMENT)
    if (isWhole || form.length < PREFIX_LENGTH) continue
    const prefix = form.slice(0, PREFIX_LENGTH)
    for (
      let at = result.indexOf(prefix);
      at >= 0;
      at = result.indexOf(prefix, at + REPLACEMENT.length)
    ) {
      result =
        result.slice(0, at) + REPLACEMENT + result.slice(at + commonLength(result.slice(at), form))
    }
  }
  return result
}

function commonLength(text: string, form: string): number {
  let length = 0
  while (length < text.length && text[length] === form[length]) length++
  return length
}
