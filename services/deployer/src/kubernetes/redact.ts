import { formsOf, MIN_LENGTH, PREFIX_LENGTH } from './redact-forms.ts'

const REPLACEMENT = '[redacted]'

/** A part of a text, from `start` to before `end`. */
type Range = readonly [start: number, end: number]

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
  return (message) => {
    const isHidden = (form: string) => form.length < MIN_LENGTH && message.includes(form)
    if (!isWhole && forms.some(isHidden)) return REPLACEMENT
    return replaceRanges(message, secretRanges(message, forms, { isWhole }))
  }
}

/**
 * Returns the parts of a text that contain one of the forms, in order and without overlaps. The
 * cost is linear in the text.
 */
export function secretRanges(
  text: string,
  forms: readonly string[],
  { isWhole }: { readonly isWhole: boolean },
): Range[] {
  const ranges: Range[] = []
  for (const form of forms) {
    const mustBeWord = form.length < MIN_LENGTH
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      if (!mustBeWord || isWord(text, at, at + form.length)) ranges.push([at, at + form.length])
    }
    if (isWhole || form.length < PREFIX_LENGTH) continue
    const prefix = form.slice(0, PREFIX_LENGTH)
    for (let at = text.indexOf(prefix); at >= 0;) {
      const end = at + commonLength(text, at, form)
      ranges.push([at, end])
      at = text.indexOf(prefix, end)
    }
  }
  return merged(ranges)
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

function merged(ranges: Range[]): Range[] {
  const result: [number, number][] = []
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    // One value may contain another, or begin in its end.
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

function isWord(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}_]/u.test(
    text.slice(Math.max(start - 1, 0), start) + text.slice(end, end + 1),
  )
}

function commonLength(text: string, at: number, form: string): number {
  let length = 0
  while (length < form.length && text[at + length] === form[length]) length++
  return length
}
