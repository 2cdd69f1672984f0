import { countJsonValues } from '@slipway/shared/json-values'

import { parseJson } from '../decode/parse-json.ts'
import { unquoted } from './plain-json.ts'

/** What is parsed of one span or log record. More would block the event loop: it stays text. */
const MAX_VALUES = 100_000
const MAX_LENGTH = 8 * 1024 * 1024

/** The JSON in the texts of one span or log record, within bounds of all of them. */
export class SpanJson {
  #valuesLeft = MAX_VALUES
  #lengthLeft = MAX_LENGTH
  /** Texts whose values are not counted yet. Each value takes a character or more. */
  #uncounted: string[] = []
  #uncountedLength = 0

  /**
   * Parses text that is a list or object, or the JSON of such text; undefined for other text, and
   * beyond the bounds.
   */
  parse(text: string): unknown {
    if (/^\s*"\s*[[{]/.test(text)) return this.parse(this.#quoted(text))
    if (!/^\s*[[{]/.test(text) || text.length > this.#lengthLeft) return undefined
    this.#lengthLeft -= text.length
    if (!this.#hasRoomFor(text)) return undefined
    try {
      return parseJson(text)
    } catch {
      return undefined
    }
  }

  /** Returns the text of a JSON string; empty for other text, and beyond the bounds. */
  #quoted(text: string): string {
    if (text.length > this.#lengthLeft) return ''
    this.#lengthLeft -= text.length
    const inner = unquoted(text)
    return inner === text ? '' : inner
  }

  /** Counting takes longer than parsing, so texts are counted only when there may be too many. */
  #hasRoomFor(text: string): boolean {
    if (this.#uncountedLength + text.length <= this.#valuesLeft) {
      this.#uncounted.push(text)
      this.#uncountedLength += text.length
      return true
    }
    for (const earlier of this.#uncounted) this.#valuesLeft -= this.#count(earlier)
    this.#uncounted = []
    this.#uncountedLength = 0
    const values = this.#count(text)
    if (values > this.#valuesLeft) return false
    this.#valuesLeft -= values
    return true
  }

  #count(text: string): number {
    return countJsonValues(Buffer.from(text), this.#valuesLeft)
  }
}
