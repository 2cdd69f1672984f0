import { exceedsQuota, quotaExceeded } from '@slipway/shared/account-limits'
import type { Kysely } from 'kysely'

import type { CatalogContext } from '../context.ts'
import { readStoredContent } from '../db/account-usage.ts'
import type { CatalogSchema } from '../db/tables.ts'

const LIMITS = ['agents', 'builds', 'catalog_bytes'] as const

/**
 * Makes a change to the builds of an account. Throws FailedPrecondition `quota_exceeded` if the
 * account then stores more than before and more than a limit. The change locks the row that is read
 * after it, so concurrent changes can't exceed a limit together.
 */
export async function withinQuota<Result>(
  { accountLimits }: Pick<CatalogContext, 'accountLimits'>,
  trx: Kysely<CatalogSchema>,
  accountId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await readStoredContent(trx, accountId)
  const result = await change()
  const after = await readStoredContent(trx, accountId)
  const bounds = accountLimits.of(accountId)
  for (const limit of LIMITS) {
    const use = { limit, used: before[limit], bound: bounds[limit] }
    const added = after[limit] - before[limit]
    if (exceedsQuota(use, added)) throw quotaExceeded(use, added)
  }
  return result
}
