import { overlapsWith } from './overlap.ts'
import { unescaped } from './redact-escapes.ts'
import { MIN_LENGTH, PREFIX_LENGTH } from './redact-forms.ts'

/** A part of a text, from `start` to before `end`. */
export type Range = readonly [start: number, end: number]

/** The number of forms that are searched one after the other, which is fast. */
const FEW = 1000
/** With more forms, a beginning of this length is redacted, so that no text is compared again. */
const LONG_PREFIX = 16
/** With more forms, the rest of a line is redacted where more of them than this may begin. */
const MAX_ALIKE = 8
/** A form with escapes is at most this many times as long; an endless line of it is cut. */
const ESCAPED_LENGTH = 3

/**
 * Searches for forms, also with escapes, in texts that have a character for each byte of UTF-8. See
 * FormSearch for the cost.
 */
export class SecretSearch {
  /** The longest form with escapes. */
  readonly longest: number
  readonly #forms: FormSearch
  #unescaped: FormSearch | undefined

  constructor(forms: readonly string[]) {
    this.longest = ESCAPED_LENGTH * longestOf(forms)
    this.#forms = new FormSearch(forms)
  }

  /** Returns the parts of a text that contain a form, in order and without overlaps. */
  rangesIn(text: string, options: { readonly isWhole: boolean }): Range[] {
    const ranges = this.#forms.rangesIn(text, options)
    const plain = unescaped(text)
    if (plain === undefined) return merged(ranges)
    for (const [start, end] of this.#withoutEscapes().rangesIn(plain.text, options))
      ranges.push([plain.starts[start] ?? 0, plain.ends[end - 1] ?? 0])
    return merged(ranges)
  }

  /** How much of the beginning of a text is the end of a form. */
  endIn(text: string): number {
    const plain = unescaped(text)
    const end = plain === undefined ? 0 : this.#withoutEscapes().endIn(plain.text)
    return Math.max(this.#forms.endIn(text), end > 0 ? (plain?.ends[end - 1] ?? 0) : 0)
  }

  /** Many texts have no escapes, so it is made when it is needed. */
  #withoutEscapes(): FormSearch {
    if (this.#unescaped !== undefined) return this.#unescaped
    const plain = this.#forms.all.map((form) => unescaped(form)?.text ?? form)
    const long = plain.filter(({ length }) => length >= MIN_LENGTH)
    return (this.#unescaped = new FormSearch([...new Set(long)]))
  }
}

/**
 * Searches for forms. A user chooses them and the text, for example a credential with many lines,
 * so the cost is linear in the text, whatever the number of forms. With many forms, the result may
 * contain more than the forms.
 */
class FormSearch {
  readonly all: readonly string[]
  readonly #longest: number
  /** Forms that are searched one after the other. */
  readonly #few: readonly string[]
  readonly #byPrefix = new Map<string, string[]>()
  /** Whether a form may begin with these characters; most positions need no more. */
  readonly #begins = new Uint8Array(1 << 16)

  constructor(forms: readonly string[]) {
    this.all = forms
    this.#longest = longestOf(forms)
    this.#few = forms.length <= FEW ? forms : forms.filter(({ length }) => length < PREFIX_LENGTH)
    for (const form of forms.length <= FEW ? [] : forms) {
      if (form.length < PREFIX_LENGTH) continue
      const prefix = form.slice(0, PREFIX_LENGTH)
      const alike = this.#byPrefix.get(prefix)
      if (alike === undefined) this.#byPrefix.set(prefix, [form])
      else alike.push(form)
      this.#begins[hashAt(form, 0)] = 1
    }
  }

  /** Returns the parts of a text that contain a form. */
  rangesIn(text: string, { isWhole }: { readonly isWhole: boolean }): Range[] {
    const ranges: Range[] = []
    for (const form of this.#few) {
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
    if (this.#byPrefix.size === 0) return ranges
    for (let at = 0; at + PREFIX_LENGTH <= text.length; at++) {
      if (this.#begins[hashAt(text, at)] === 0) continue
      const length = this.#lengthAt(text, at, isWhole ? LONG_PREFIX : PREFIX_LENGTH)
      if (length === 0) continue
      ranges.push([at, at + length])
      // What was compared at length isn't compared again, but a form may begin in the end of one.
      at += Math.max(0, length - LONG_PREFIX)
    }
    return ranges
  }

  endIn(text: string): number {
    const overlap = overlapsWith(text.slice(0, this.#longest))
    let longest = 0
    for (const form of this.all) longest = Math.max(longest, overlap(form))
    return longest < PREFIX_LENGTH ? 0 : longest
  }

  /** The length of the longest form that begins there, or of a beginning of at least `enough`. */
  #lengthAt(text: string, at: number, enough: number): number {
    const alike = this.#byPrefix.get(text.slice(at, at + PREFIX_LENGTH)) ?? []
    if (alike.length > MAX_ALIKE) {
      const end = text.indexOf('\n', at)
      return (end < 0 ? text.length : end) - at
    }
    let longest = 0
    for (const form of alike) {
      const length = commonLength(text, at, form)
      if (length === form.length || length >= enough) longest = Math.max(longest, length)
    }
    return longest
  }
}

function longestOf(forms: readonly string[]): number {
  return forms.reduce((longest, { length }) => Math.max(longest, length), 0)
}

function hashAt(text: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + MIN_LENGTH; index++)
    hash = (hash * 31 + text.charCodeAt(index)) & 0xffff
  return hash
}

/** Returns the same parts in order and without overlaps. */
export function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = []
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (start === end) continue
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
  while (length < form.length && text.charCodeAt(at + length) === form.charCodeAt(length)) length++
  return length
}
