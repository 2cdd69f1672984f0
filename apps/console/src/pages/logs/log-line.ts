import { shorten } from '../../text/shorten.ts'

/** A line of a container, or an event of the cluster. */
export interface LogEntry {
  readonly time: string
  /** The pod of a line, or the object of an event; empty in the log of one container. */
  readonly source: string
  /** Empty in an event, and in the log of one container. */
  readonly container: string
  readonly isEvent: boolean
  readonly text: string
}

/** An entry of a log as a page keeps it. */
export interface LogLine extends LogEntry {
  /** Differs between all lines of a log. */
  readonly id: number
  /** Columns that its beginning needs; see `columnsOf`. */
  readonly columns: number
}

/** Characters of a line that are shown at first. */
const MOST_CHARACTERS = 2_000
const PLAIN = /^[ -~]*$/
/** As in the style of a line. */
const TAB_COLUMNS = 4

/** The part of a line that is shown at first. */
export function beginningOf(text: string): string {
  return shorten(text, MOST_CHARACTERS)
}

/**
 * The most columns of a fixed-width font that a text needs. Characters other than those of ASCII
 * count as two, which some of them need.
 */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\t') columns += TAB_COLUMNS
    else columns += PLAIN.test(character) ? 1 : 2
  }
  return columns
}
