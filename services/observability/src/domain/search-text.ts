import { invalidField } from '@slipway/shared/errors'

const MAX_SEARCH_LENGTH = 256

/** Throws InvalidInput for a search text that is too long or contains NUL. */
export function checkSearchText(text: string): void {
  if (text.includes('\0')) throw invalidField('query', 'must not contain NUL characters')
  // Characters, not UTF-16 units: an emoji counts as one.
  if (text.length <= MAX_SEARCH_LENGTH || Array.from(text).length <= MAX_SEARCH_LENGTH) return
  throw invalidField('query', `must have at most ${MAX_SEARCH_LENGTH} characters`)
}
