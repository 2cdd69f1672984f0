import { Violations } from '@slipway/shared/errors'

/** The maximum number of entries in a page. */
export const MAX_PAGE_SIZE = 1000

/** The size of a page; 0 means the maximum. Throws InvalidInput if it is out of bounds. */
export function pageSizeOf(requested: number): number {
  const size = requested === 0 ? MAX_PAGE_SIZE : requested
  new Violations().requireWithin('page_size', size, 1, MAX_PAGE_SIZE).throwIfAny()
  return size
}
