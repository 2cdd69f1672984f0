import { Type } from 'typebox'

/** A deletion is checked and made by the catalog in turn, each within 20 s. */
export const DELETION_TIMEOUT_MS = 45_000

/** Query of a deletion. */
export const DryRunQuery = Type.Object({
  dry_run: Type.Boolean({
    default: false,
    description: 'Only check whether it can be deleted, and list what would be',
  }),
})
