/** Longest search query. */
export const MAX_QUERY_LENGTH = 200
/** Most words of a search query: each short one costs a walk through a large part of an index. */
export const MAX_QUERY_WORDS = 8
/** How much of a description can be found. */
const MAX_TEXT_LENGTH = 16_384
/** Longer words are found by their first part. */
const MAX_WORD_LENGTH = 64

/** What an index of three-letter parts can look up: enough plain letters in a row. */
const LOOKS_UP_ANYWHERE = /[a-z0-9]{3}/

/**
 * The text in which an agent is found, beside its account's name: lower-case name, tags,
 * description, one a line.
 */
export function searchTextOf(name: string, tags: readonly string[], description: string): string {
  return [name, ...tags, description]
    .join('\n')
    .slice(0, MAX_TEXT_LENGTH)
    .toLowerCase()
    .toWellFormed()
}

/** The words of a text, each once. */
export function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed()))]
}

/** A search as an index can answer it; all of it must be found. */
export interface Search {
  /** Found anywhere in a text. */
  readonly anywhere: readonly string[]
  /**
   * Found where a word begins: what is too short to be looked up anywhere, or written in other
   * letters.
   */
  readonly prefixes: readonly string[]
}

/** Reads a query: words separated by blanks. Signs that stand alone say nothing. */
export function readSearch(query: string): Search {
  const words = query
    .toLowerCase()
    .toWellFormed()
    .split(/[\s\0]+/u)
  const isLong = (word: string) => LOOKS_UP_ANYWHERE.test(word)
  return {
    anywhere: [...new Set(words.filter(isLong))],
    prefixes: wordsOf(words.filter((word) => !isLong(word)).join(' ')),
  }
}
