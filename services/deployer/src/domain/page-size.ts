import type { PageSizes } from '@slipway/shared/paging'

/** The page sizes of all lists. */
export const PAGE_SIZES: PageSizes = { usual: 100, max: 1000 }
