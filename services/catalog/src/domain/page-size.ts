import { Violations } from '@slipway/shared/errors'

/** Most entries in one answer. */
export const MAX_PAGE_SIZE = 1000

/**
 * The number of entries to answer with, 0 meaning the maximum. Throws InvalidInput when it is out
 * of bounds.
 */
export function pageSizeOf(requested: number): number {
  const size = requested === 0 ? MAX_PAGE_SIZE : requested
  new Violations().requireWithin('page_size', size, 1, MAX_PAGE_SIZE).throwIfAny()
  return size
}
