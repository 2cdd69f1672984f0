import { Violations } from './violations.ts'

/** Most entries in one answer. */
export const MAX_PAGE_SIZE = 1000

/**
 * The number of entries to answer with, 0 meaning the maximum. Throws InvalidInput when it is out
 * of bounds.
 */
export function pageSizeOf(requested: number): number {
  new Violations()
    .require(
      requested >= 0 && requested <= MAX_PAGE_SIZE,
      'page_size',
      `must be from 1 to ${MAX_PAGE_SIZE}`,
    )
    .throwIfAny()
  return requested === 0 ? MAX_PAGE_SIZE : requested
}
