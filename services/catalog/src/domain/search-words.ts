/** Longest search query. */
export const MAX_QUERY_LENGTH = 200
/** How much of a description can be found. */
const MAX_TEXT_LENGTH = 16_384

/** The text in which an agent is found, beside its account's name: lower-case name, tags, description, one a line. */
export function searchTextOf(name: string, tags: readonly string[], description: string): string {
  return [name, ...tags, description].join('\n').slice(0, MAX_TEXT_LENGTH).toLowerCase().toWellFormed()
}

/** The words of a query, each of which must be found; no word twice. */
export function queryWords(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().split(/[\s\0]+/u))].filter((word) => word !== '')
}
