import type { Violations } from '@slipway/shared/errors'

const MAX_SEARCH_LENGTH = 256

/** Adds a problem with a text to search for that is too long or contains NUL. */
export function requireSearchText(violations: Violations, field: string, text: string): void {
  // Characters, not UTF-16 units: an emoji counts as one.
  const fits = text.length <= MAX_SEARCH_LENGTH || Array.from(text).length <= MAX_SEARCH_LENGTH
  violations
    .require(!text.includes('\0'), field, 'must not contain NUL characters')
    .require(fits, field, `must have at most ${MAX_SEARCH_LENGTH} characters`)
}
