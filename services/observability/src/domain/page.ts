import { Violations } from '@slipway/shared/errors'

/** A part of a list. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

const MAX_LIMIT = 500
const DEFAULT_LIMIT = 50
const MAX_OFFSET = 100_000

/**
 * Fills in the default of a requested page; a limit of 0 means 50. Throws InvalidInput for a limit
 * or an offset out of bounds.
 */
export function resolvePage(page: Page): Page {
  const limit = page.limit === 0 ? DEFAULT_LIMIT : page.limit
  new Violations()
    .requireWithin('limit', limit, 1, MAX_LIMIT)
    .requireWithin('offset', page.offset, 0, MAX_OFFSET)
    .throwIfAny()
  return { limit, offset: page.offset }
}
