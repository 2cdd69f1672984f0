import { formsOf, MIN_LENGTH } from './redact-forms.ts'
import { SecretSearch, type Range } from './redact-search.ts'

const REPLACEMENT = '[redacted]'

/**
 * Redacts secret values from a message of the API server, which may quote the request: in the forms
 * of formsOf, complete or truncated. When the message contains a value of less than four
 * characters, the whole message is redacted. A text that is never truncated (`isWhole`) keeps words
 * that only begin like a value, and loses a short value only where it is a word.
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
  const forms = formsOf(values)
  const search = new SecretSearch(forms)
  return (message) => {
    const bytes = Buffer.from(message).toString('latin1')
    const isHidden = (form: string) => form.length < MIN_LENGTH && bytes.includes(form)
    if (!isWhole && forms.some(isHidden)) return REPLACEMENT
    const ranges = search.rangesIn(bytes, { isWhole })
    return ranges.length === 0
      ? message
      : Buffer.from(replaceRanges(bytes, ranges), 'latin1').toString()
  }
}

/** Replaces parts of a text. */
export function replaceRanges(text: string, ranges: readonly Range[]): string {
  let result = ''
  let from = 0
  for (const [start, end] of ranges) {
    result += text.slice(from, start) + REPLACEMENT
    from = end
  }
  return result + text.slice(from)
}
