import { countJsonValues } from '@slipway/shared/json-values'

/** What is parsed of one span or log record. More would block the event loop: it stays text. */
const MAX_VALUES = 100_000
const MAX_LENGTH = 8 * 1024 * 1024

/** The JSON in the texts of one span or log record, within bounds of all of them. */
export class SpanJson {
  #valuesLeft = MAX_VALUES
  #lengthLeft = MAX_LENGTH

  /** Parses text that is a list or object; undefined for other text, and beyond the bounds. */
  parse(text: string): unknown {
    if (!/^\s*[[{]/.test(text) || text.length > this.#lengthLeft) return undefined
    this.#lengthLeft -= text.length
    const values = countJsonValues(Buffer.from(text), this.#valuesLeft)
    if (values > this.#valuesLeft) return undefined
    this.#valuesLeft -= values
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
}
