/** The maximum length of a search query. */
export const MAX_QUERY_LENGTH = 200
/** The maximum number of words. Each short word causes a scan of a large part of an index. */
export const MAX_QUERY_WORDS = 8
/**
 * The length of the indexed prefix of a text. Publishing a version and renaming its account index
 * the text again, which takes milliseconds for each thousand characters.
 */
const MAX_TEXT_LENGTH = 2_048
/** Longer words are indexed by their first part. */
const MAX_WORD_LENGTH = 64

/** Words that the trigram index can find: three plain letters or digits in a row. */
const HAS_TRIGRAM = /[a-z0-9]{3}/

/**
 * The searchable text of an agent without its account's name: its lower-case name, tags and
 * description, one per line.
 */
export function searchTextOf(name: string, tags: readonly string[], description: string): string {
  return [name, ...tags, description]
    .join('\n')
    .slice(0, MAX_TEXT_LENGTH)
    .toLowerCase()
    .toWellFormed()
}

/** The distinct words of a text. */
export function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed()))]
}

/** A search for all of the given words. */
export interface Search {
  /** Words that may occur anywhere in a text. */
  readonly anywhere: readonly string[]
  /** Words without a trigram, which match only prefixes of words. */
  readonly prefixes: readonly string[]
}

/** Parses a query: words separated by blanks. Words without letters and digits are ignored. */
export function readSearch(query: string): Search {
  const words = query
    .toLowerCase()
    .toWellFormed()
    .split(/[\s\0]+/u)
  const isLong = (word: string) => HAS_TRIGRAM.test(word)
  return {
    anywhere: [...new Set(words.filter(isLong))],
    prefixes: wordsOf(words.filter((word) => !isLong(word)).join(' ')),
  }
}
